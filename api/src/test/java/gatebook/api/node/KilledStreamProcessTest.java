package gatebook.api.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Kills the real server process while it streams the progress of a tree. */
@Timeout(300)
final class KilledStreamProcessTest {
  private static final Path LAUNCHER = Path.of(System.getProperty("gatebook.root"), "gatebook");
  private static final String RULES =
      """
      schema: 1
      sources: [{id: demo, kind: demo}]
      governance:
        defaults: {action: forward}
        rules: [{match: deploy, action: approve, approval: ops}]
      approval: {ops: {timeout: 10m}}
      """;
  private static final String EXECUTE =
      """
      {"jsonrpc":"2.0","id":1,"method":"tasks.execute","params":{"use_streaming":true,\
      "tasks":[{"id":"k","name":"kid","schemas":{"method":"deploy"},"inputs":{"version":"7"}}]}}\
      """;

  @TempDir private Path temp;

  private final HttpClient http = HttpClient.newHttpClient();
  private @Nullable Process server;

  @AfterEach
  void stop() {
    if (server != null) {
      server.destroyForcibly();
    }
    http.shutdownNow();
  }

  @Test
  void streamOfAKilledServerHasNoFinalEvent() throws Exception {
    Files.writeString(temp.resolve("gatebook.yaml"), RULES);
    String url = serve();
    List<String> read = new ArrayList<>();

    try (BufferedReader stream = stream(url)) {
      String line = stream.readLine();
      while (line != null) {
        read.add(line);
        if (line.contains("waits for an approval")) {
          Objects.requireNonNull(server).destroyForcibly();
        }
        line = stream.readLine();
      }
    } catch (IOException _) {
      read.add("cut");
    }

    assertThat(read.toString())
        .contains("waits for an approval")
        .doesNotContain("final", "stream_end");
  }

  private BufferedReader stream(String url) throws IOException, InterruptedException {
    return new BufferedReader(
        new InputStreamReader(
            http.send(
                    HttpRequest.newBuilder(URI.create(url + "/flow/tasks"))
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(EXECUTE))
                        .build(),
                    BodyHandlers.ofInputStream())
                .body(),
            UTF_8));
  }

  /** Starts the server, and returns its address for callers. */
  private String serve() throws IOException {
    Path out = temp.resolve("out");
    server =
        new ProcessBuilder(
                LAUNCHER.toString(), "serve", "--data", "data", "--port", "0", "--admin-port", "0")
            .directory(temp.toFile())
            .redirectOutput(out.toFile())
            .redirectError(temp.resolve("err").toFile())
            .start();
    List<String> lines = await().until(() -> lines(out), l -> l.size() >= 2);
    return lines.getFirst().substring("callers ".length());
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
