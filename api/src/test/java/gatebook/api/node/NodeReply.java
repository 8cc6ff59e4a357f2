package gatebook.api.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.events.ErrorTranslated;
import gatebook.events.Event;
import gatebook.events.fault.Fault;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/** A node's reply to a request, and what the journal has of it. */
public record NodeReply(
    WatchedNode node, String correlationId, int status, List<String> headers, JsonNode response) {
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

  /** The result of a request that succeeded. */
  public JsonNode result() {
    assertThat(response.path("error").isMissingNode()).as("%s", response).isTrue();
    return response.path("result");
  }

  /** The code and the message. */
  public String error() {
    JsonNode error = response.path("error");
    return error.path("code").asInt() + " " + error.path("message").asText();
  }

  /** The code of the error; zero when there is none. */
  public int code() {
    return response.at("/error/code").asInt();
  }

  /** The data of the error. */
  public JsonNode data() {
    return response.at("/error/data");
  }

  public List<Event> events() {
    return node.events(correlationId);
  }

  /** The names of the events. */
  public List<String> eventNames() {
    return events().stream().map(event -> event.getClass().getSimpleName()).toList();
  }

  /** The fault that ended the call. */
  public Fault fault() {
    return ((ErrorTranslated) events().getLast()).fault();
  }
}
