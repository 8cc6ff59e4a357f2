package gatebook.api.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A fake server for operators: returns the results that a test gives it, and records its requests.
 */
public final class FakeOperatorServer implements AutoCloseable {
  private static final JsonMapper JSON = new JsonMapper();

  private final HttpServer server;
  private final Map<String, Deque<String>> results = new HashMap<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();

  public FakeOperatorServer() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/operator", this::answer);
    server.start();
  }

  /** Adds a result of a method; the last one repeats. */
  public void returns(String method, String result) {
    results.computeIfAbsent(method, _ -> new ArrayDeque<>()).add("\"result\":" + result);
  }

  public void returnsError(String method, String sentence) {
    results
        .computeIfAbsent(method, _ -> new ArrayDeque<>())
        .add(
            """
            "error":{"code":-32000,"message":"%s"}\
            """
                .formatted(sentence));
  }

  /** Each request, as its method and its params. */
  public List<String> requests() {
    return requests;
  }

  /** Runs a command against this server. */
  public CommandRun run(Object command, String... arguments) {
    return CommandRun.of(command, List.of("--url", url(), "--token", "t"), arguments);
  }

  private String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  private synchronized void answer(HttpExchange exchange) throws IOException {
    JsonNode message = JSON.readTree(exchange.getRequestBody());
    String method = message.path("method").asText();
    requests.add(method + " " + message.path("params"));
    Deque<String> answers = results.getOrDefault(method, new ArrayDeque<>());
    String answer = answers.size() > 1 ? answers.poll() : answers.peek();
    byte[] body =
        """
        {"jsonrpc":"2.0","id":%s,%s}\
        """
            .formatted(message.path("id"), answer)
            .getBytes(UTF_8);
    exchange.sendResponseHeaders(200, body.length);
    try (var out = exchange.getResponseBody()) {
      out.write(body);
    }
  }

  /** The JSON document that a command printed. */
  public static ObjectNode document(CommandRun commandRun) {
    try {
      return (ObjectNode) JSON.readTree(commandRun.out());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
