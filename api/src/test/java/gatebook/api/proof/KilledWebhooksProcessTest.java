package gatebook.api.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.flow.WebhookReceiver;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The end of an execution is told at least once, also when the server is killed meanwhile. */
@Timeout(300)
final class KilledWebhooksProcessTest {
  private static final Duration LIMIT = Duration.ofMinutes(2);

  @TempDir private Path temp;

  private final HttpClient http = HttpClient.newHttpClient();
  private final WebhookReceiver receiver = new WebhookReceiver();
  private final String root = UUID.randomUUID().toString();

  @BeforeEach
  void writeRules() throws IOException {
    Files.writeString(
        temp.resolve("gatebook.yaml"),
        """
        schema: 1
        sources: [{id: demo, kind: demo}]
        governance: {defaults: {action: forward}}
        webhooks: {allow: ["%s"]}
        """
            .formatted(receiver.url("/")));
  }

  @AfterEach
  void stop() {
    http.shutdownNow();
    receiver.close();
  }

  @Test
  void theEndIsToldAgainAfterAKill() throws Exception {
    String told;
    try (ServerProcess server = ServerProcess.start(temp, ServerProcess.StartOptions.DEFAULTS)) {
      receiver.hold("\"final\":true");
      execute(server, root);
      assertThat(receiver.next().body()).contains("\"type\":\"task_start\"");
      assertThat(receiver.next().body()).contains("\"type\":\"task_completed\"");
      told = receiver.next().body();
      server.kill();
    }
    receiver.release();

    try (ServerProcess server = ServerProcess.start(temp, ServerProcess.StartOptions.DEFAULTS)) {
      WebhookReceiver.Received again = receiver.next();
      assertThat(again.body()).isEqualTo(told).contains("\"final\":true");
      assertThat(again.header("X-Key")).isEqualTo("k1");
      await()
          .atMost(LIMIT)
          .until(() -> tree(server).at("/webhook/state").asText().equals("delivered"));
      assertThat(tree(server).at("/webhook/last").asBoolean()).isTrue();
      server.kill();
    }

    try (ServerProcess server = ServerProcess.start(temp, ServerProcess.StartOptions.DEFAULTS)) {
      execute(server, UUID.randomUUID().toString());
      assertThat(receiver.next().body()).contains("\"type\":\"task_start\"");
    }
  }

  private void execute(ServerProcess server, String id) throws Exception {
    String body =
        """
        {"jsonrpc":"2.0","id":1,"method":"tasks.execute","params":{"tasks":[{"id":"%s",\
        "name":"one","schemas":{"method":"echo"},"inputs":{"n":1}}],"webhook_config":{\
        "url":"%s","headers":{"X-Key":"k1"}}}}\
        """
            .formatted(id, receiver.url("/end"));
    String answer =
        http.send(
                HttpRequest.newBuilder(URI.create(server.mcp().toString().replace("/mcp", "/flow")))
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofString(body))
                    .build(),
                BodyHandlers.ofString())
            .body();
    assertThat(answer).contains("\"status\":\"started\"");
  }

  private static JsonNode tree(ServerProcess server) {
    return server.request("audit.trees", "{}").at("/trees/0");
  }
}
