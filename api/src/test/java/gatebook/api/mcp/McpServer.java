package gatebook.api.mcp;

import static gatebook.api.rpc.JsonStrings.quoted;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import gatebook.api.rpc.ObjectMembers;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * An MCP server with sessions. Its tool {@code ask} sends a request to the client first, {@code
 * tell} reports progress first, {@code wait} answers only when it is cancelled, and {@code err}
 * reports an error.
 */
public final class McpServer implements AutoCloseable {

  private final HttpServer server;
  private final Map<String, Integer> sessions = new ConcurrentHashMap<>();
  private final BlockingQueue<String> replies = new LinkedBlockingQueue<>();
  private final CountDownLatch cancelled = new CountDownLatch(1);

  /**
   * The received messages, each as {@code SESSION METHOD}, responses as {@code SESSION reply}. A
   * session is named after its client.
   */
  public final List<String> messages = new CopyOnWriteArrayList<>();

  /** The requests that name a resource, each as {@code METHOD URI}. */
  public final List<String> resourceRequests = new CopyOnWriteArrayList<>();

  /** The calls that were cancelled while they were open, each as {@code SESSION TOOL REASON}. */
  public final List<String> cancelledCalls = new CopyOnWriteArrayList<>();

  /** The tools of the calls that were received, by session and request id. */
  private final Map<String, String> calledTools = new ConcurrentHashMap<>();

  /** The arguments of calls to tools, each after the name of its tool. */
  public final List<String> toolArguments = new CopyOnWriteArrayList<>();

  /** The array of tools that it has, to be listed. */
  public static final String OWN_TOOLS =
      """
      [{"name":"ask"},{"name":"tell"},{"name":"wait"},{"name":"err"}]\
      """;

  /** The array of tools that it lists; they cannot be listed when it is empty. */
  public volatile String tools = "[]";

  /** Initialize requests are answered when it is open. */
  public volatile CountDownLatch initializing = new CountDownLatch(0);

  /** The capabilities that it declares. */
  public volatile String capabilities = "{\"tools\":{}}";

  /** The request that {@code ask} sends; its id is {@code q}. */
  public volatile String question =
      """
      {"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"which?"}}\
      """;

  public McpServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/mcp", this::serve);
    server.start();
  }

  public URI url() {
    return URI.create("http://127.0.0.1:%d/mcp".formatted(server.getAddress().getPort()));
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      String session = exchange.getRequestHeaders().getFirst("Mcp-Session-Id");
      String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
      switch (exchange.getRequestMethod()) {
        case "POST" -> post(exchange, session == null ? "-" : session, body);
        case "DELETE" -> {
          messages.add(session + " DELETE");
          exchange.sendResponseHeaders(200, -1);
        }
        default -> listen(exchange, session);
      }
    }
  }

  private void post(HttpExchange exchange, String session, String body) throws IOException {
    ObjectMembers message = ObjectMembers.of(body);
    Optional<String> method = message.text("method");
    String name = message.members("params").members("clientInfo").text("name").orElse("");
    String known =
        method.equals(Optional.of("initialize"))
            ? name + sessions.merge(name, 1, Integer::sum)
            : session;
    messages.add(known + " " + method.orElse("reply"));
    message
        .members("params")
        .text("uri")
        .ifPresent(uri -> resourceRequests.add(method.orElse("reply") + " " + uri));
    if (method.isEmpty()) {
      replies.add(body);
    }
    if (method.equals(Optional.of("notifications/cancelled"))) {
      ObjectMembers params = message.members("params");
      String call = session + " " + params.json("requestId").orElseThrow();
      cancelledCalls.add(
          "%s %s %s"
              .formatted(
                  session,
                  calledTools.getOrDefault(call, "no tool"),
                  params.text("reason").orElse("no reason")));
      cancelled.countDown();
    }
    if (method.isEmpty() || message.json("id").isEmpty()) {
      exchange.sendResponseHeaders(202, -1);
      return;
    }
    String id = message.json("id").orElseThrow();
    switch (method.get()) {
      case "initialize" -> {
        await(initializing);
        exchange.getResponseHeaders().add("Mcp-Session-Id", known);
        sendResult(
            exchange,
            id,
            """
            {"protocolVersion":"2025-11-25","capabilities":%s,"serverInfo":{"name":"talkative","version":"7"}}\
            """
                .formatted(capabilities));
      }
      case "tools/call" -> {
        ObjectMembers params = message.members("params");
        String tool = params.text("name").orElseThrow();
        calledTools.put(session + " " + id, tool);
        toolArguments.add(tool + " " + params.json("arguments").orElse("-"));
        call(exchange, id, tool);
      }
      case "tools/list" ->
          sendResult(exchange, id, tools.isEmpty() ? "{}" : "{\"tools\":%s}".formatted(tools));
      default -> sendResult(exchange, id, "{}");
    }
  }

  private void call(HttpExchange exchange, String id, String tool) throws IOException {
    switch (tool) {
      case "ask" -> {
        OutputStream stream = stream(exchange);
        sendEvent(stream, question);
        sendEvent(stream, result(id, text(awaitReply())));
      }
      case "tell" -> {
        OutputStream stream = stream(exchange);
        sendEvent(
            stream,
            """
            {"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}\
            """);
        sendEvent(stream, result(id, text("told")));
      }
      case "wait" -> {
        OutputStream stream = stream(exchange);
        stream.write(": waiting\n\n".getBytes(UTF_8));
        stream.flush();
        await(cancelled);
      }
      case "err" ->
          sendResult(
              exchange,
              id,
              """
              {"isError":true,"content":[{"type":"text","text":"cannot read /etc/keys/a.pem"}]}\
              """);
      default -> sendResult(exchange, id, text(tool));
    }
  }

  private String awaitReply() {
    try {
      return ObjectMembers.of(replies.poll(120, TimeUnit.SECONDS))
          .json("result")
          .orElse("no result");
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await(120, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Sends two notifications on the stream of the session. */
  private static void listen(HttpExchange exchange, String session) throws IOException {
    OutputStream stream = stream(exchange);
    sendEvent(
        stream,
        """
        {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"of":"%s"}}\
        """
            .formatted(session));
    sendEvent(
        stream,
        """
        {"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"file:///a"}}\
        """);
    while (true) {
      stream.write(": still here\n\n".getBytes(UTF_8));
      stream.flush();
      LockSupport.parkNanos(20_000_000);
    }
  }

  private static OutputStream stream(HttpExchange exchange) throws IOException {
    exchange.getResponseHeaders().add("Content-Type", "text/event-stream");
    exchange.sendResponseHeaders(200, 0);
    return exchange.getResponseBody();
  }

  private static void sendEvent(OutputStream stream, String data) throws IOException {
    stream.write(("data: " + data + "\n\n").getBytes(UTF_8));
    stream.flush();
  }

  private static void sendResult(HttpExchange exchange, String id, String result)
      throws IOException {
    byte[] bytes = result(id, result).getBytes(UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  private static String text(String text) {
    return """
    {"content":[{"type":"text","text":%s}]}\
    """
        .formatted(quoted(text));
  }

  private static String result(String id, String result) {
    return """
    {"jsonrpc":"2.0","id":%s,"result":%s}\
    """
        .formatted(id, result);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
