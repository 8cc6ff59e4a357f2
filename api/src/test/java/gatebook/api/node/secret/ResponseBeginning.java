package gatebook.api.node.secret;

import gatebook.api.http.Port;
import gatebook.api.node.WatchedNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Iterator;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Reads the beginning of a response that may have no end. */
final class ResponseBeginning {

  private ResponseBeginning() {}

  /**
   * Reads the header, and lines until no more are wanted.
   *
   * @param body empty for a GET, else of a POST
   * @param wantsMore takes a line and returns whether it wants another
   * @param headers names and values
   */
  static String read(
      WatchedNode node,
      Port port,
      String path,
      BodyPublisher body,
      Predicate<String> wantsMore,
      String... headers)
      throws IOException {
    HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    try {
      HttpResponse<Stream<String>> response =
          client.send(
              HttpRequest.newBuilder(URI.create(node.at(port).url() + path))
                  .headers(headers)
                  .method(body.contentLength() == 0 ? "GET" : "POST", body)
                  .build(),
              BodyHandlers.ofLines());
      StringBuilder read = new StringBuilder(response.headers().toString()).append('\n');
      Iterator<String> lines = response.body().iterator();
      boolean more = true;
      while (more && lines.hasNext()) {
        String line = lines.next();
        read.append(line).append('\n');
        more = wantsMore.test(line);
      }
      return read.toString();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      client.shutdownNow();
    }
  }
}
