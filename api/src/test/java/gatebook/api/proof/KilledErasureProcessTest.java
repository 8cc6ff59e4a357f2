package gatebook.api.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.node.NodeCaller;
import gatebook.api.node.WatchedNode;
import gatebook.events.Proof;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An erasure that the server was killed in happens as a whole, or not at all. */
final class KilledErasureProcessTest {
  private static final int KILLS = Proof.rounds(2, 50);
  private static final long NANOS_MAX = Duration.ofMillis(120).toNanos();
  private static final Duration LIMIT = Duration.ofMinutes(2);

  @TempDir private Path temp;

  private final HttpClient http = HttpClient.newHttpClient();

  @Test
  void anErasureIsFinishedAfterKills() throws Exception {
    Files.writeString(
        temp.resolve("gatebook.yaml"),
        """
        schema: 1
        sources: [{id: demo, kind: demo}]
        governance:
          defaults: {action: forward}
          rules: [{match: "deploy", action: approve, approval: people}]
        approval: {people: {timeout: 10m}}
        limits: {held_per_principal_max: 200}
        """
            + NodeCaller.people());
    SplittableRandom random = Proof.random("killed erasure");
    for (int kill = 0; kill < KILLS; kill++) {
      String text = "said by joe before kill " + kill;
      boolean answered;
      try (ServerProcess server = ServerProcess.start(temp, ServerProcess.StartOptions.DEFAULTS)) {
        call(server, NodeCaller.JOE, "echo", text).join();
        call(server, NodeCaller.ANN, "echo", "said by ann " + kill).join();
        var _ = call(server, NodeCaller.JOE, "deploy", text);
        await()
            .atMost(LIMIT)
            .until(
                () -> !server.request("approvals.list", "{}").at("/approvals/0").isMissingNode());
        CompletableFuture<JsonNode> forget = CompletableFuture.supplyAsync(() -> forget(server));
        LockSupport.parkNanos(random.nextLong(NANOS_MAX));
        answered = forget.isDone();
        server.kill();
        answered = answered && !forget.isCompletedExceptionally();
      }
      try (ServerProcess server = ServerProcess.start(temp, ServerProcess.StartOptions.DEFAULTS)) {
        boolean readable = isFound(server, text);
        assertThat(readable && answered).as("what was answered is done").isFalse();
        if (readable) {
          assertThat(forget(server).path("outcome").asText()).isEqualTo("erased");
        }
        assertThat(isFound(server, text)).isFalse();
        assertThat(isFound(server, "said by ann " + kill)).isTrue();
        await()
            .atMost(LIMIT)
            .until(() -> server.request("approvals.list", "{}").path("approvals").isEmpty());
        assertThat(server.request("audit.verify", "{}").path("clean").asBoolean()).isTrue();
        server.stop();
      }
    }
    http.shutdownNow();
  }

  private static JsonNode forget(ServerProcess server) {
    return server.request("content.forget", "{\"principal\":\"joe\",\"reason\":\"asked\"}");
  }

  private static boolean isFound(ServerProcess server, String text) {
    return !server
        .request("content.find", "{\"containing\":\"%s\"}".formatted(text))
        .path("calls")
        .isEmpty();
  }

  private CompletableFuture<HttpResponse<String>> call(
      ServerProcess server, String token, String tool, String text) {
    URI mcp = server.mcp();
    return http.sendAsync(
        HttpRequest.newBuilder(mcp)
            .header("Content-Type", "application/json")
            .header("Authorization", "Bearer " + token)
            .POST(
                BodyPublishers.ofString(
                    WatchedNode.toolCall(tool, "{\"version\":\"%s\"}".formatted(text))))
            .build(),
        BodyHandlers.ofString());
  }
}
