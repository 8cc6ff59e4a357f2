package gatebook.api.operator;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.http.Port;
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

/** One who follows the journal of a node over HTTP, and reads only when he is told to. */
final class TailStream implements AutoCloseable {
  private static final JsonMapper JSON = new JsonMapper();

  private final HttpClient client;
  private final HttpResponse<InputStream> response;
  private final BufferedReader lines;

  /**
   * Knocks.
   *
   * @param query with its question mark, or nothing
   */
  TailStream(AskedNode node, String token, String query, String... headers) throws Exception {
    client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(node.url(Port.ADMIN) + "/operator/tail" + query))
            .header("Accept", "text/event-stream")
            .header("Authorization", "Bearer " + token);
    if (headers.length > 0) {
      request.headers(headers);
    }
    response = client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
    lines = new BufferedReader(new InputStreamReader(response.body(), UTF_8));
  }

  /** One who was let in, and has been told so. */
  static TailStream following(AskedNode node, String query, String... headers) throws Exception {
    return followingAs(node, node.token(), query, headers);
  }

  static TailStream followingAs(AskedNode node, String token, String query, String... headers)
      throws Exception {
    TailStream stream = new TailStream(node, token, query, headers);
    assertThat(stream.response.statusCode()).isEqualTo(200);
    assertThat(stream.block().orElseThrow()).startsWith(": following\nid: ");
    return stream;
  }

  HttpResponse<InputStream> response() {
    return response;
  }

  /** What is said instead of events; the answer has its correlation id twice. */
  String refusal() throws IOException {
    JsonNode said = JSON.readTree(response.body());
    assertThat(said.propertyStream().map(Map.Entry::getKey))
        .containsExactly("error", "correlation_id");
    assertThat(response.headers().firstValue("X-Correlation-Id"))
        .contains(said.path("correlation_id").asText());
    return said.path("error").asText();
  }

  /** Everything up to the next empty line; empty at the end. */
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
  JsonNode event() throws IOException {
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
  public void close() {
    client.shutdownNow();
  }
}
