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
 * A server of MCP with sessions, and tools that do more than answer: {@code ask} asks the client
 * first, {@code tell} reports progress first, {@code wait} answers only when it is cancelled.
 */
public final class McpServer implements AutoCloseable {

  private final HttpServer server;
  private final Map<String, Integer> sessions = new ConcurrentHashMap<>();
  private final BlockingQueue<String> replies = new LinkedBlockingQueue<>();
  private final CountDownLatch cancelled = new CountDownLatch(1);

  /**
   * What came, each as {@code SESSION METHOD}; what is no call as {@code SESSION reply}; a session
   * is called after its client.
   */
  public final List<String> came = new CopyOnWriteArrayList<>();

  /** Which resources were named, each as {@code METHOD URI}. */
  public final List<String> named = new CopyOnWriteArrayList<>();

  /** What it says that it can. */
  public volatile String capabilities = "{\"tools\":{}}";

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
          came.add(session + " DELETE");
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
    came.add(known + " " + method.orElse("reply"));
    message
        .members("params")
        .text("uri")
        .ifPresent(uri -> named.add(method.orElse("reply") + " " + uri));
    if (method.isEmpty()) {
      replies.add(body);
    }
    if (method.equals(Optional.of("notifications/cancelled"))) {
      cancelled.countDown();
    }
    if (method.isEmpty() || message.json("id").isEmpty()) {
      exchange.sendResponseHeaders(202, -1);
      return;
    }
    String id = message.json("id").orElseThrow();
    switch (method.get()) {
      case "initialize" -> {
        exchange.getResponseHeaders().add("Mcp-Session-Id", known);
        whole(
            exchange,
            id,
            "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":%s,\"serverInfo\":{\"name\":\"talkative\",\"version\":\"7\"}}"
                .formatted(capabilities));
      }
      case "tools/call" -> call(exchange, id, message.members("params").text("name").orElseThrow());
      case "tools/list" -> whole(exchange, id, "{\"tools\":[]}");
      default -> whole(exchange, id, "{}");
    }
  }

  private void call(HttpExchange exchange, String id, String tool) throws IOException {
    switch (tool) {
      case "ask" -> {
        OutputStream stream = stream(exchange);
        event(
            stream,
            "{\"jsonrpc\":\"2.0\",\"id\":\"q\",\"method\":\"elicitation/create\",\"params\":{\"message\":\"which?\"}}");
        event(stream, result(id, text(awaited())));
      }
      case "tell" -> {
        OutputStream stream = stream(exchange);
        event(
            stream,
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progress\":1}}");
        event(stream, result(id, text("told")));
      }
      case "wait" -> {
        OutputStream stream = stream(exchange);
        stream.write(": waiting\n\n".getBytes(UTF_8));
        stream.flush();
        awaitCancelled();
      }
      default -> whole(exchange, id, text(tool));
    }
  }

  private String awaited() {
    try {
      return ObjectMembers.of(replies.poll(120, TimeUnit.SECONDS))
          .json("result")
          .orElse("no result");
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void awaitCancelled() {
    try {
      cancelled.await(120, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Announces two things to whoever listens. */
  private static void listen(HttpExchange exchange, String session) throws IOException {
    OutputStream stream = stream(exchange);
    event(
        stream,
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\",\"params\":{\"of\":\"%s\"}}"
            .formatted(session));
    event(
        stream,
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/resources/updated\",\"params\":{\"uri\":\"file:///a\"}}");
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

  private static void event(OutputStream stream, String data) throws IOException {
    stream.write(("data: " + data + "\n\n").getBytes(UTF_8));
    stream.flush();
  }

  private static void whole(HttpExchange exchange, String id, String result) throws IOException {
    byte[] bytes = result(id, result).getBytes(UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  private static String text(String text) {
    return "{\"content\":[{\"type\":\"text\",\"text\":%s}]}".formatted(quoted(text));
  }

  private static String result(String id, String result) {
    return "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}".formatted(id, result);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
