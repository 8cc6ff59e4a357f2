package gatebook.api.browser;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A client of the WebDriver protocol (W3C): one command, one response. */
final class WebDriverClient implements AutoCloseable {
  /** Longer than any command takes on a busy machine. */
  private static final Duration TIMEOUT = Duration.ofMinutes(4);

  static final JsonMapper JSON = new JsonMapper();

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final URI base;

  /**
   * @param base the address below which the paths of commands are
   */
  WebDriverClient(URI base) {
    this.base = base;
  }

  /** A command that the driver refused. */
  static final class CommandFailed extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String error;

    CommandFailed(String path, JsonNode value) {
      super(
          "%s: %s".formatted(path, value.path("message").asText().lines().findFirst().orElse("")));
      this.error = value.path("error").asText();
    }

    /** The error code of the protocol. */
    String error() {
      return error;
    }
  }

  JsonNode get(String path) {
    return send("GET", path, null);
  }

  JsonNode post(String path, Map<String, ?> parameters) {
    return send("POST", path, parameters);
  }

  JsonNode delete(String path) {
    return send("DELETE", path, null);
  }

  private JsonNode send(String method, String path, @Nullable Map<String, ?> parameters) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(base + path))
            .timeout(TIMEOUT)
            .header("Content-Type", "application/json; charset=utf-8")
            .method(
                method,
                parameters == null
                    ? BodyPublishers.noBody()
                    : BodyPublishers.ofString(text(parameters), UTF_8))
            .build();
    try {
      JsonNode value =
          JSON.readTree(http.send(request, BodyHandlers.ofString()).body()).path("value");
      if (value.has("error") && value.has("stacktrace")) {
        throw new CommandFailed(path, value);
      }
      return value;
    } catch (IOException e) {
      throw new UncheckedIOException("no response of the driver to " + path, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private static String text(Object value) {
    try {
      return JSON.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
