package gatebook.api.operator;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.http.Port;
import gatebook.api.operator.rpc.OperatorTestNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A tail stream of a node over HTTP, which reads only when the test says so. */
public final class TailStream implements AutoCloseable {
  private static final JsonMapper JSON = new JsonMapper();

  private final HttpResponse<InputStream> response;
  private final BufferedReader lines;

  /**
   * Requests the tail.
   *
   * @param query with its question mark, or empty
   */
  TailStream(OperatorTestNode node, String token, String query, String... headers)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(node.url(Port.ADMIN) + "/operator/tail" + query))
            .version(HttpClient.Version.HTTP_1_1)
            .header("Accept", "text/event-stream")
            .header("Authorization", "Bearer " + token);
    if (headers.length > 0) {
      request.headers(headers);
    }
    response =
        OperatorTestNode.HTTP.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
    lines = new BufferedReader(new InputStreamReader(response.body(), UTF_8));
  }

  /** A stream that was admitted and has received the first comment. */
  static TailStream following(OperatorTestNode node, String query, String... headers)
      throws Exception {
    return followingAs(node, node.token(), query, headers);
  }

  public static TailStream followingAs(
      OperatorTestNode node, String token, String query, String... headers) throws Exception {
    TailStream stream = new TailStream(node, token, query, headers);
    assertThat(stream.response.statusCode()).isEqualTo(200);
    assertThat(stream.block().orElseThrow()).startsWith(": following\nid: ");
    return stream;
  }

  HttpResponse<InputStream> response() {
    return response;
  }

  /** The error sent instead of events; checks that the response has its correlation id twice. */
  String refusal() throws IOException {
    JsonNode error = JSON.readTree(response.body());
    assertThat(error.propertyStream().map(Map.Entry::getKey))
        .containsExactly("error", "correlation_id");
    assertThat(response.headers().firstValue("X-Correlation-Id"))
        .contains(error.path("correlation_id").asText());
    return error.path("error").asText();
  }

  /** The next block, up to an empty line; empty at the end of the stream. */
  Optional<String> block() throws IOException {
    StringBuilder block = new StringBuilder();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.isEmpty()) {
        return Optional.of(block.toString());
      }
      block.append(line).append('\n');
    }
    return Optional.empty();
  }

  /** The data of the next event. */
  public JsonNode event() throws IOException {
    String block = block().orElseThrow();
    return block.startsWith(":")
        ? event()
        : JSON.readTree(block.substring(block.indexOf("data: ") + "data: ".length()));
  }

  List<Long> positions(int events) throws IOException {
    List<Long> positions = new ArrayList<>();
    while (positions.size() < events) {
      positions.add(event().path("position").longValue());
    }
    return positions;
  }

  @Override
  public void close() throws IOException {
    response.body().close();
  }
}
