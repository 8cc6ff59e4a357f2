package gatebook.api.operator;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;

/** Asks a running server what operators may ask. It never follows a redirect with its token. */
public final class OperatorClient {
  private static final JsonMapper JSON = new JsonMapper();
  private static final Duration CONNECT_MAX = Duration.ofSeconds(5);
  private static final int UNAUTHORIZED = 401;

  private final URI url;
  private final String token;

  /** What asking ends in. */
  public sealed interface Answer {
    record Result(JsonNode json) implements Answer {}

    /** The sentence says what went wrong, and what to do where something can be done. */
    record Failed(String sentence) implements Answer {}
  }

  private OperatorClient(URI url, String token) {
    this.url = url;
    this.token = token;
  }

  /** Empty when the text is no URL of a server. */
  public static Optional<OperatorClient> of(String url, String token) {
    try {
      URI uri = URI.create(url).resolve("/operator");
      boolean isHttp = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
      return isHttp && uri.getHost() != null
          ? Optional.of(new OperatorClient(uri, token))
          : Optional.empty();
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  /** Asks, and waits as long as the answer takes. */
  public Answer ask(String method, ObjectNode params) throws InterruptedException {
    ObjectNode message =
        JSON.createObjectNode().put("jsonrpc", "2.0").put("id", 1).put("method", method);
    message.set("params", params);
    try (HttpClient client = HttpClient.newBuilder().connectTimeout(CONNECT_MAX).build()) {
      return answer(client.send(request(message), BodyHandlers.ofString(UTF_8)));
    } catch (IOException _) {
      return new Answer.Failed("no server answers at %s: is it running?".formatted(url));
    } catch (IllegalArgumentException _) {
      return new Answer.Failed("the token has characters that no token has");
    }
  }

  /**
   * Follows the journal, and hands over each line of server-sent events as it comes.
   *
   * @param query of the address, with its question mark
   * @param after the last position seen by then, if there was one
   * @param wantsMore takes a line and says whether it wants another
   */
  public Following follow(String query, OptionalLong after, Predicate<String> wantsMore)
      throws InterruptedException {
    try (HttpClient client = HttpClient.newBuilder().connectTimeout(CONNECT_MAX).build()) {
      return new TailClient(client, tail(query, after)).follow(wantsMore);
    } catch (IOException _) {
      return new Following.Refused("no server answers at %s: is it running?".formatted(url), true);
    } catch (IllegalArgumentException _) {
      return new Following.Refused("the token has characters that no token has", false);
    }
  }

  private HttpRequest tail(String query, OptionalLong after) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(url.resolve("/operator/tail" + query))
            .version(HttpClient.Version.HTTP_1_1)
            .header("Accept", "text/event-stream")
            .header("Authorization", "Bearer " + token);
    after.ifPresent(it -> request.header("Last-Event-ID", String.valueOf(it)));
    return request.build();
  }

  private HttpRequest request(ObjectNode message) {
    return HttpRequest.newBuilder(url)
        .header("Content-Type", "application/json")
        .header("Authorization", "Bearer " + token)
        .POST(BodyPublishers.ofString(message.toString(), UTF_8))
        .build();
  }

  private Answer answer(HttpResponse<String> response) {
    if (response.statusCode() == UNAUTHORIZED) {
      return new Answer.Failed(
          "the server at %s does not take this token: give it with --token or GATEBOOK_TOKEN"
              .formatted(url));
    }
    try {
      JsonNode json = JSON.readTree(response.body());
      if (json.path("error").path("message").isTextual()) {
        return new Answer.Failed(json.path("error").path("message").textValue());
      }
      return json.path("result").isObject()
          ? new Answer.Result(json.path("result"))
          : notGatebook();
    } catch (JsonProcessingException _) {
      return notGatebook();
    }
  }

  private Answer notGatebook() {
    return new Answer.Failed("what answers at %s is no gatebook: check --url".formatted(url));
  }
}
