package gatebook.api.operator.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;

/** Follows the event tail of a server over one connection. */
final class TailClient {
  private static final JsonMapper JSON = new JsonMapper();
  private static final int OK = 200;
  private static final int UNAUTHORIZED = 401;
  private static final int UNAVAILABLE = 503;
  private static final int REFUSAL_BYTES_MAX = 16 * 1024;

  /** Servers send an event or a keep-alive at least every 15 seconds. */
  private static final Duration IDLE_MAX = Duration.ofSeconds(45);

  private final HttpClient client;
  private final HttpRequest request;

  TailClient(HttpClient client, HttpRequest request) {
    this.client = client;
    this.request = request;
  }

  /**
   * Passes on each line as it arrives.
   *
   * @param wantsMore takes a line and returns whether it wants another
   */
  FollowResult follow(Predicate<String> wantsMore) throws IOException, InterruptedException {
    HttpResponse<InputStream> response = client.send(request, BodyHandlers.ofInputStream());
    try (InputStream body = response.body()) {
      return response.statusCode() == OK ? readLines(body, wantsMore) : refused(response, body);
    } finally {
      client.shutdownNow();
    }
  }

  private static FollowResult readLines(InputStream body, Predicate<String> wantsMore) {
    try (IdleTimeout idleTimeout = IdleTimeout.start(IDLE_MAX, body);
        BufferedReader lines = new BufferedReader(new InputStreamReader(body, UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        idleTimeout.reset();
        if (!wantsMore.test(line)) {
          return new FollowResult.Finished();
        }
      }
    } catch (IOException _) {
      return new FollowResult.Lost();
    }
    return new FollowResult.Lost();
  }

  private FollowResult refused(HttpResponse<InputStream> response, InputStream body)
      throws IOException {
    if (response.statusCode() == UNAUTHORIZED) {
      return new FollowResult.Refused(
          "the server at %s does not accept this token: give another with --token or GATEBOOK_TOKEN"
              .formatted(request.uri()),
          false);
    }
    return new FollowResult.Refused(
        errorText(body.readNBytes(REFUSAL_BYTES_MAX))
            .orElseGet(
                () -> "the server at %s is not a gatebook: check --url".formatted(request.uri())),
        response.statusCode() == UNAVAILABLE);
  }

  private static Optional<String> errorText(byte[] body) throws IOException {
    try {
      return Optional.ofNullable(JSON.readTree(body).path("error").textValue());
    } catch (JsonProcessingException _) {
      return Optional.empty();
    }
  }
}
