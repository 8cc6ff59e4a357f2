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
 * A server of the stateless MCP that can be listened to, and has tools that do more than answer:
 * {@code ask} wants to know something first, {@code again} wants to be asked again, {@code greedy}
 * never has enough, {@code task} makes a task, whose id begins with the server's name.
 */
public final class StatelessServer implements AutoCloseable {

  private static final String SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";

  private final HttpServer server;
  private final String name;
  private final Map<String, Stream> streams = new ConcurrentHashMap<>();
  private final CountDownLatch closing = new CountDownLatch(1);

  /** What came, each as {@code METHOD PARAMS}, without what every request says. */
  public final List<String> came = new CopyOnWriteArrayList<>();

  /** What every request said it can, of those that came. */
  public final List<String> capabilities = new CopyOnWriteArrayList<>();

  /** How many have stopped to listen. */
  public final List<String> left = new CopyOnWriteArrayList<>();

  /** Whether whoever wants to listen is told that nobody can. */
  public volatile boolean isMute;

  /** Whether whoever wants to listen is told nothing at all. */
  public volatile boolean isSilent;

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
      came.add(method + " " + MemberSplice.without(params, List.of("_meta")));
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
      case "initialize" -> refuse(exchange, id, -32601);
      case "server/discover" ->
          whole(
              exchange,
              id,
              "{\"resultType\":\"complete\",\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{}}");
      case "subscriptions/listen" -> listen(exchange, id, params);
      case "tools/call" -> whole(exchange, id, called(params));
      case "tasks/get", "tasks/cancel", "tasks/update" -> task(exchange, id, params);
      default -> whole(exchange, id, "{\"resultType\":\"complete\"}");
    }
  }

  private void listen(HttpExchange exchange, String id, ObjectMembers params) throws IOException {
    if (isMute) {
      refuse(exchange, id, -32601);
      return;
    }
    exchange.getResponseHeaders().add("Content-Type", "text/event-stream");
    exchange.sendResponseHeaders(200, 0);
    Stream stream = new Stream(exchange.getResponseBody(), new CountDownLatch(1));
    streams.put(id, stream);
    if (!isSilent) {
      String agreed =
          MemberSplice.without(
              params.json("notifications").orElse("{}"), List.of("promptsListChanged"));
      event(stream, notification(id, "subscriptions/acknowledged", "\"notifications\":" + agreed));
    }
    try {
      stayUntilOver(stream);
      event(
          stream,
          result(
              id,
              "{\"resultType\":\"complete\",\"_meta\":{%s:%s}}"
                  .formatted(quoted(SUBSCRIPTION), id)));
    } catch (IOException _) {
      streams.remove(id, stream);
      left.add(id);
    }
  }

  private void stayUntilOver(Stream stream) throws IOException {
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

  /** Tells everybody who listens; the rest of the params is the text of members. */
  public void tell(String what, String params) throws IOException {
    for (Map.Entry<String, Stream> listening : streams.entrySet()) {
      event(listening.getValue(), notification(listening.getKey(), what, params));
    }
  }

  /** Has nothing more to say to anybody. */
  public void end() {
    streams.values().forEach(stream -> stream.over.countDown());
    streams.clear();
  }

  private String called(ObjectMembers params) {
    boolean isAnswered = params.json("inputResponses").isPresent();
    return switch (params.text("name").orElseThrow()) {
      case "ask" -> isAnswered ? text(params) : ASKING;
      case "again" ->
          params.json("requestState").isPresent()
              ? text(params)
              : "{\"resultType\":\"input_required\",\"requestState\":\"s1\"}";
      case "greedy" -> "{\"resultType\":\"input_required\",\"requestState\":\"s1\"}";
      case "task" ->
          "{\"resultType\":\"task\",\"taskId\":\"%s-%s\",\"status\":\"working\"}"
              .formatted(name, params.members("arguments").text("id").orElse("1"));
      default -> text(params);
    };
  }

  private static final String ASKING =
      "{\"resultType\":\"input_required\",\"inputRequests\":{\"who\":{\"method\":\"elicitation/create\",\"params\":{\"message\":\"who?\"}},\"where\":{\"method\":\"roots/list\"}},\"requestState\":\"s1\"}";

  /** Says which params came. */
  private static String text(ObjectMembers params) {
    StringBuilder all = new StringBuilder();
    params.forEach((member, value) -> {
      if (!member.equals("_meta")) {
        all.append(member).append('=').append(value).append(' ');
      }
    });
    return "{\"resultType\":\"complete\",\"content\":[{\"type\":\"text\",\"text\":%s}]}"
        .formatted(quoted(all.toString().strip()));
  }

  private void task(HttpExchange exchange, String id, ObjectMembers params) throws IOException {
    String task = params.text("taskId").orElseThrow();
    if (task.startsWith(name + "-")) {
      whole(
          exchange,
          id,
          "{\"resultType\":\"complete\",\"taskId\":%s,\"status\":\"working\"}"
              .formatted(quoted(task)));
    } else {
      refuse(exchange, id, -32602);
    }
  }

  private static String notification(String subscription, String what, String params) {
    return "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/%s\",\"params\":{\"_meta\":{%s:%s}%s}}"
        .formatted(what, quoted(SUBSCRIPTION), subscription, params.isEmpty() ? "" : "," + params);
  }

  private static void event(Stream stream, String data) throws IOException {
    synchronized (stream) {
      stream.out.write(("data: " + data + "\n\n").getBytes(UTF_8));
      stream.out.flush();
    }
  }

  private static void whole(HttpExchange exchange, String id, String result) throws IOException {
    send(exchange, result(id, result));
  }

  private static void refuse(HttpExchange exchange, String id, int code) throws IOException {
    send(
        exchange,
        "{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":%d,\"message\":\"no\"}}"
            .formatted(id, code));
  }

  private static void send(HttpExchange exchange, String body) throws IOException {
    byte[] bytes = body.getBytes(UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  private static String result(String id, String result) {
    return "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}".formatted(id, result);
  }

  @Override
  public void close() {
    closing.countDown();
    server.stop(0);
  }
}
