package gatebook.api.mcp;

import static gatebook.api.rpc.JsonStrings.quoted;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import gatebook.api.rpc.MemberSplice;
import gatebook.api.rpc.ObjectMembers;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * A server of the stateless MCP revision with subscriptions. Its tool {@code ask} needs input
 * first, {@code again} needs the same call again, {@code greedy} always needs more input, and
 * {@code task} creates a task, whose id begins with the server's name.
 */
public final class StatelessServer implements AutoCloseable {

  private static final String SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";

  private final HttpServer server;
  private final String name;
  private final Map<String, Stream> streams = new ConcurrentHashMap<>();
  private final CountDownLatch closing = new CountDownLatch(1);

  /** The received requests, each as {@code METHOD PARAMS}, without their metadata. */
  public final List<String> requests = new CopyOnWriteArrayList<>();

  /** The capabilities that each received request declared. */
  public final List<String> capabilities = new CopyOnWriteArrayList<>();

  /** The ids of subscriptions that the client closed. */
  public final List<String> closedStreams = new CopyOnWriteArrayList<>();

  /** Whether subscriptions are refused. */
  public volatile boolean refusesListen;

  /** Whether subscriptions are never acknowledged. */
  public volatile boolean neverAcknowledges;

  private record Stream(OutputStream out, CountDownLatch over) {}

  public StatelessServer(String name) throws IOException {
    this.name = name;
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
      ObjectMembers message =
          ObjectMembers.of(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
      String method = message.text("method").orElseThrow();
      String params = message.json("params").orElse("{}");
      requests.add(method + " " + MemberSplice.without(params, List.of("_meta")));
      capabilities.add(
          ObjectMembers.of(params)
              .members("_meta")
              .json("io.modelcontextprotocol/clientCapabilities")
              .orElse("none"));
      if (message.json("id").isEmpty()) {
        exchange.sendResponseHeaders(202, -1);
      } else {
        answer(exchange, message.json("id").get(), method, ObjectMembers.of(params));
      }
    }
  }

  private void answer(HttpExchange exchange, String id, String method, ObjectMembers params)
      throws IOException {
    switch (method) {
      case "initialize" -> sendError(exchange, id, -32601);
      case "server/discover" ->
          sendResult(
              exchange,
              id,
              """
              {"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{}}\
              """);
      case "subscriptions/listen" -> listen(exchange, id, params);
      case "tools/call" -> sendResult(exchange, id, toolResult(params));
      case "tasks/get", "tasks/cancel", "tasks/update" -> task(exchange, id, params);
      default ->
          sendResult(
              exchange,
              id,
              """
              {"resultType":"complete"}\
              """);
    }
  }

  private void listen(HttpExchange exchange, String id, ObjectMembers params) throws IOException {
    if (refusesListen) {
      sendError(exchange, id, -32601);
      return;
    }
    exchange.getResponseHeaders().add("Content-Type", "text/event-stream");
    exchange.sendResponseHeaders(200, 0);
    Stream stream = new Stream(exchange.getResponseBody(), new CountDownLatch(1));
    streams.put(id, stream);
    if (!neverAcknowledges) {
      String agreed =
          MemberSplice.without(
              params.json("notifications").orElse("{}"), List.of("promptsListChanged"));
      sendEvent(
          stream, notification(id, "subscriptions/acknowledged", "\"notifications\":" + agreed));
    }
    try {
      keepOpen(stream);
      sendEvent(
          stream,
          result(
              id,
              """
              {"resultType":"complete","_meta":{%s:%s}}\
              """
                  .formatted(quoted(SUBSCRIPTION), id)));
    } catch (IOException _) {
      streams.remove(id, stream);
      closedStreams.add(id);
    }
  }

  private void keepOpen(Stream stream) throws IOException {
    try {
      while (!stream.over.await(20, TimeUnit.MILLISECONDS) && closing.getCount() > 0) {
        synchronized (stream) {
          stream.out.write(": still here\n\n".getBytes(UTF_8));
          stream.out.flush();
        }
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Notifies all subscribers; {@code params} is the text of further members of the params. */
  public void notifySubscribers(String what, String params) throws IOException {
    for (Map.Entry<String, Stream> listening : streams.entrySet()) {
      sendEvent(listening.getValue(), notification(listening.getKey(), what, params));
    }
  }

  /** Ends all subscriptions. */
  public void endStreams() {
    streams.values().forEach(stream -> stream.over.countDown());
    streams.clear();
  }

  private String toolResult(ObjectMembers params) {
    boolean isAnswered = params.json("inputResponses").isPresent();
    return switch (params.text("name").orElseThrow()) {
      case "ask" -> isAnswered ? text(params) : INPUT_REQUIRED;
      case "again" ->
          params.json("requestState").isPresent()
              ? text(params)
              : """
              {"resultType":"input_required","requestState":"s1"}\
              """;
      case "greedy" ->
          """
          {"resultType":"input_required","requestState":"s1"}\
          """;
      case "task" ->
          """
          {"resultType":"task","taskId":"%s-%s","status":"working"}\
          """
              .formatted(name, params.members("arguments").text("id").orElse("1"));
      default -> text(params);
    };
  }

  private static final String INPUT_REQUIRED =
      """
      {"resultType":"input_required","inputRequests":{"who":{"method":"elicitation/create","params":{"message":"who?"}},"where":{"method":"roots/list"}},"requestState":"s1"}\
      """;

  /** A result that contains the params. */
  private static String text(ObjectMembers params) {
    StringBuilder all = new StringBuilder();
    params.forEach((member, value) -> {
      if (!member.equals("_meta")) {
        all.append(member).append('=').append(value).append(' ');
      }
    });
    return """
    {"resultType":"complete","content":[{"type":"text","text":%s}]}\
    """
        .formatted(quoted(all.toString().strip()));
  }

  private void task(HttpExchange exchange, String id, ObjectMembers params) throws IOException {
    String task = params.text("taskId").orElseThrow();
    if (task.startsWith(name + "-")) {
      sendResult(
          exchange,
          id,
          """
          {"resultType":"complete","taskId":%s,"status":"working"}\
          """
              .formatted(quoted(task)));
    } else {
      sendError(exchange, id, -32602);
    }
  }

  private static String notification(String subscription, String what, String params) {
    return """
    {"jsonrpc":"2.0","method":"notifications/%s","params":{"_meta":{%s:%s}%s}}\
    """
        .formatted(what, quoted(SUBSCRIPTION), subscription, params.isEmpty() ? "" : "," + params);
  }

  private static void sendEvent(Stream stream, String data) throws IOException {
    synchronized (stream) {
      stream.out.write(("data: " + data + "\n\n").getBytes(UTF_8));
      stream.out.flush();
    }
  }

  private static void sendResult(HttpExchange exchange, String id, String result)
      throws IOException {
    send(exchange, result(id, result));
  }

  private static void sendError(HttpExchange exchange, String id, int code) throws IOException {
    send(
        exchange,
        """
        {"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":"no"}}\
        """
            .formatted(id, code));
  }

  private static void send(HttpExchange exchange, String body) throws IOException {
    byte[] bytes = body.getBytes(UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  private static String result(String id, String result) {
    return """
    {"jsonrpc":"2.0","id":%s,"result":%s}\
    """
        .formatted(id, result);
  }

  @Override
  public void close() {
    closing.countDown();
    server.stop(0);
  }
}
