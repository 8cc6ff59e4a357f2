package gatebook.api.proof;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients written with the official SDKs, whose calls wait for an approval. */
final class ApprovedClientsProcessTest {

  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final String DONE =
      """
      done, if this were not a demo: {"version":"1"}\
      """;

  @TempDir private Path temp;

  @BeforeEach
  void writeRules() throws IOException {
    Files.writeString(
        temp.resolve("gatebook.yaml"),
        """
        schema: 1
        sources: [{id: demo, kind: demo}]
        governance:
          defaults: {action: forward}
          rules: [{match: "deploy", action: approve, approval: ops}]
        approval: {ops: {timeout: 10m}}
        limits: {held_answer_millis_max: 300}
        """);
  }

  @Test
  void aTaskContinuesAfterTheServerWasKilled() throws Exception {
    String task;
    try (ServerProcess server = ServerProcess.start(temp, ServerProcess.StartOptions.DEFAULTS)) {
      JsonNode created = outcome(start("ask", server.mcp().toString()));
      assertThat(created.path("type").asText()).isEqualTo("taskCreated");
      task = created.path("task").path("taskId").asText();
      server.kill();
    }

    try (ServerProcess server = ServerProcess.start(temp, ServerProcess.StartOptions.DEFAULTS)) {
      Process client = start("fetch", server.mcp().toString(), task);
      server.request("approvals.approve", "{\"callId\":\"%s\"}".formatted(awaitHeldCall(server)));

      assertThat(text(outcome(client))).isEqualTo(DONE);
      assertThat(events(server.lookup(task).path(0)))
          .containsExactly(
              "CallReceived",
              "ApprovalRequested",
              "TaskCreated",
              "ApprovalGranted",
              "CallAdmitted",
              "CallForwarded",
              "ResultKept",
              "CallAnswered");
    }
  }

  @Test
  void aClientWithoutTaskSupportRetriesTheCall() throws Exception {
    try (ServerProcess server = ServerProcess.start(temp, ServerProcess.StartOptions.DEFAULTS)) {
      Process client = start("again", server.mcp().toString());
      String call = awaitHeldCall(server);
      await().until(() -> server.calls("\"method\":\"tools/call\"").size() > 2);
      server.request("approvals.approve", "{\"callId\":\"%s\"}".formatted(call));

      assertThat(text(outcome(client))).isEqualTo(DONE);
      assertThat(events(server.lookup(call).path(0))).containsOnlyOnce("CallForwarded");
    }
  }

  /** The id of the held call. */
  private static String awaitHeldCall(ServerProcess server) {
    return await()
        .until(
            () ->
                server
                    .request("approvals.list", "{}")
                    .path("approvals")
                    .path(0)
                    .path("callId")
                    .asText(),
            call -> !call.isEmpty());
  }

  private Process start(String... arguments) throws IOException {
    List<String> command = NpmPeers.node("client/approval.mjs", arguments);
    return new ProcessBuilder(command)
        .redirectOutput(temp.resolve("client.out").toFile())
        .redirectError(temp.resolve("client.err").toFile())
        .start();
  }

  private JsonNode outcome(Process client) throws IOException, InterruptedException {
    boolean ended = client.waitFor(TIMEOUT.toSeconds(), SECONDS);
    client.destroyForcibly();
    assertThat(ended && client.exitValue() == 0)
        .as(Files.readString(temp.resolve("client.err"), UTF_8))
        .isTrue();
    return ServerProcess.json(Files.readString(temp.resolve("client.out"), UTF_8));
  }

  private static String text(JsonNode result) {
    return result.path("content").path(0).path("text").asText();
  }

  private static List<String> events(JsonNode call) {
    List<String> names = new ArrayList<>();
    call.path("events").forEach(event -> names.add(event.path("name").asText()));
    return names;
  }
}
