package gatebook.api.node.a2a;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;

/** A reply over A2A, with the correlation id of its request. */
public record A2aReply(String correlationId, int status, JsonNode response) {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String DATA = "data: ";

  /** The response in a body, also where it is the only event of a stream. */
  public static JsonNode response(String body) throws IOException {
    return JSON.readTree(
        body.lines()
            .filter(line -> line.startsWith(DATA))
            .map(line -> line.substring(DATA.length()))
            .findFirst()
            .orElse(body));
  }

  public static JsonNode response(InputStream body) throws IOException {
    return response(new String(body.readAllBytes(), UTF_8));
  }

  public JsonNode result() {
    assertThat(response.path("error").isMissingNode()).as("%s", response).isTrue();
    return response.path("result");
  }

  /** The code and the message. */
  public String error() {
    JsonNode error = response.path("error");
    return error.path("code").asInt() + " " + error.path("message").asText();
  }
}
