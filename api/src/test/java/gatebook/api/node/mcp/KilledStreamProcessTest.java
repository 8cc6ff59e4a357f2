package gatebook.api.node.mcp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.proof.ServerProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Kills the real server process while it streams the progress of a tree. */
@Timeout(300)
final class KilledStreamProcessTest {
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

  @AfterEach
  void stop() {
    http.shutdownNow();
  }

  @Test
  void streamOfAKilledServerHasNoFinalEvent() throws Exception {
    Files.writeString(temp.resolve("gatebook.yaml"), RULES);
    List<String> read = new ArrayList<>();

    try (ServerProcess server = ServerProcess.start(temp, ServerProcess.StartOptions.DEFAULTS);
        BufferedReader stream = stream(server.flow())) {
      String line = stream.readLine();
      while (line != null) {
        read.add(line);
        if (line.contains("waits for an approval")) {
          server.kill();
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

  private BufferedReader stream(URI flow) throws IOException, InterruptedException {
    return new BufferedReader(
        new InputStreamReader(
            http.send(
                    HttpRequest.newBuilder(URI.create(flow + "/tasks"))
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(EXECUTE))
                        .build(),
                    BodyHandlers.ofInputStream())
                .body(),
            UTF_8));
  }
}
