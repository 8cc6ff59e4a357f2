package gatebook.api.load;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;

/** Single HTTP requests beside a load. */
public final class BenchRequests {
  private static final Duration TIMEOUT = Duration.ofMinutes(5);
  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(Version.HTTP_1_1).connectTimeout(TIMEOUT).build();

  private BenchRequests() {}

  /** Sends JSON with these headers besides its content type, and returns the response. */
  public static HttpResponse<String> post(URI url, Map<String, String> headers, String body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(url)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body));
    headers.forEach(request::header);
    return send(request);
  }

  static String get(URI url) {
    return send(HttpRequest.newBuilder(url)).body();
  }

  private static HttpResponse<String> send(HttpRequest.Builder builder) {
    HttpRequest request = builder.timeout(TIMEOUT).build();
    try {
      return HTTP.send(request, BodyHandlers.ofString());
    } catch (IOException e) {
      throw new IllegalStateException(request.uri() + " does not answer", e);
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted while measuring", e);
    }
  }
}
