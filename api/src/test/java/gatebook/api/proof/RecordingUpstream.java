package gatebook.api.proof;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/** An upstream that records each call as soon as it arrives. */
final class RecordingUpstream implements AutoCloseable {
  /** The tools that tasks of trees use. */
  private static final String TOOLS =
      """
      [{"name":"read"},{"name":"fail"},{"name":"delete_all"},{"name":"list_orders"},\
      {"name":"read_order"}]\
      """;

  private final HttpServer server;
  private final Consumer<Arrival> onArrival;
  private final Map<String, Integer> arrivals = new ConcurrentHashMap<>();

  /** A call that arrived and is not answered yet. */
  record Arrival(String tool, String marker) {}

  /**
   * @param onArrival runs before the answer, on a thread that may block
   */
  RecordingUpstream(Consumer<Arrival> onArrival) {
    this.onArrival = onArrival;
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1_024);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/mcp", this::serve);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
  }

  URI url() {
    return URI.create("http://127.0.0.1:%d/mcp".formatted(server.getAddress().getPort()));
  }

  /** The number of arrivals of each marker. */
  Map<String, Integer> arrivals() {
    return Map.copyOf(arrivals);
  }

  int count() {
    return arrivals.size();
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      JsonNode call =
          ServerProcess.json(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
      if (call.get("method").asText().equals("tools/call")) {
        JsonNode params = call.get("params");
        Arrival arrival =
            new Arrival(
                params.get("name").asText(), params.get("arguments").get("marker").asText());
        arrivals.merge(arrival.marker(), 1, Integer::sum);
        onArrival.accept(arrival);
        answer(exchange, call.get("id"), outcome(arrival));
      } else {
        answer(exchange, call.get("id"), "\"result\":{\"tools\":%s}".formatted(TOOLS));
      }
    }
  }

  private static String outcome(Arrival arrival) {
    return arrival.tool().equals("fail")
        ? """
        "error":{"code":-32050,"message":"no record for %s","data":{"of":"%s"}}\
        """
            .formatted(arrival.marker(), arrival.marker())
        : """
        "result":{"content":[{"type":"text","text":"done for %s"}],"isError":%b}\
        """
            .formatted(arrival.marker(), arrival.marker().endsWith("7"));
  }

  private static void answer(HttpExchange exchange, JsonNode id, String outcome)
      throws IOException {
    if (id == null) {
      exchange.sendResponseHeaders(202, -1);
      return;
    }
    byte[] body =
        """
        {"jsonrpc":"2.0","id":%s,%s}\
        """
            .formatted(id, outcome)
            .getBytes(UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
