package gatebook.api.node.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.http.Port;
import gatebook.api.mcp.McpServer;
import gatebook.api.node.NodeCaller;
import gatebook.api.node.RealJournal;
import gatebook.api.node.WatchedNode;
import gatebook.events.Event;
import gatebook.events.TreeTaskFailed;
import gatebook.events.TreeTaskRetried;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tasks of trees that are retried, or go on after a restart. */
@Timeout(300)
final class ResumedTreesTest {
  private static final String ROOT = "00000000-0000-4000-8000-000000000001";

  /** Nobody listens there. */
  private static final String NOWHERE = "http://127.0.0.1:1/mcp";

  @TempDir private Path folder;

  private @Nullable WatchedNode node;

  @AfterEach
  void stop() {
    node().close();
  }

  private WatchedNode node() {
    return Objects.requireNonNull(node, "each test starts a node");
  }

  @Test
  void aTaskWaitsForItsApprovalAfterARestart() throws IOException {
    start(NOWHERE, "");
    execute("deploy", "");
    await().until(() -> !waiting().isEmpty());
    String callId = waiting().at("/0/callId").asText();

    node().close();
    start(NOWHERE, "");

    assertThat(waiting().at("/0/callId").asText()).isEqualTo(callId);
    assertThat(status()).isEqualTo("in_progress");
    operator("approvals.approve", "{\"callId\":\"%s\"}".formatted(callId));
    await().until(() -> status().equals("completed"));
    assertThat(task().at("/result").isObject()).isTrue();
  }

  @Test
  void aTaskThatWaitsIsCancelledAfterARestart() throws IOException {
    start(NOWHERE, "");
    execute("deploy", "");
    await().until(() -> !waiting().isEmpty());

    node().close();
    start(NOWHERE, "");
    await().until(() -> status().equals("in_progress"));
    request("tasks.cancel", "{\"task_id\":\"%s\"}".formatted(ROOT));

    await().until(() -> waiting().isEmpty());
    assertThat(status()).isEqualTo("cancelled");
  }

  @Test
  void aCallWithoutConnectionIsRetriedAsWanted() throws IOException {
    start(NOWHERE, "");
    execute("x_wait", retries(3));

    await().until(() -> status().equals("failed"));
    assertThat(retried()).extracting(TreeTaskRetried::attempt).containsExactly(2, 3);
    assertThat(calls()).hasSize(3);
  }

  @Test
  void attemptsAreCountedOverARestart() throws IOException {
    start(NOWHERE, "");
    execute("x_wait", retries(3));
    await().until(() -> retried().size() == 1);

    node().close();
    start(NOWHERE, "");

    await().until(() -> status().equals("failed"));
    assertThat(retried()).extracting(TreeTaskRetried::attempt).containsExactly(2, 3);
    assertThat(calls()).hasSize(3);
  }

  @Test
  void aLostAnswerIsRetriedOnlyForIdempotentTools() throws IOException {
    try (McpServer server = new McpServer()) {
      server.tools = McpServer.OWN_TOOLS;
      start(server.url().toString(), "");
      execute("x_wait", retries(3));

      await().until(() -> status().equals("failed"));
      assertThat(retried()).isEmpty();
      assertThat(arrived(server)).isEqualTo(1);
    }
  }

  @Test
  void anIdempotentToolIsCalledAgain() throws IOException {
    try (McpServer server = new McpServer()) {
      server.tools = McpServer.OWN_TOOLS;
      start(server.url().toString(), ", idempotent: [\"wa*\"]");
      execute("x_wait", retries(2));

      await().until(() -> status().equals("failed"));
      assertThat(retried()).hasSize(1);
      assertThat(arrived(server)).isEqualTo(2);
      assertThat(events(TreeTaskFailed.class))
          .singleElement()
          .satisfies(failed -> assertThat(failed.attempt()).isEqualTo(2));
    }
  }

  @Test
  void withoutRetriesACallIsMadeOnce() throws IOException {
    start(NOWHERE, "");
    execute("x_wait", "");

    await().until(() -> status().equals("failed"));
    assertThat(retried()).isEmpty();
    assertThat(calls()).hasSize(1);
  }

  private void start(String url, String declaration) throws IOException {
    node =
        WatchedNode.start(
            folder,
            """
            schema: 1
            sources:
              - {id: demo, kind: demo}
              - {id: remote, kind: mcp, prefix: x_, url: "%s", timeout: 500ms%s}
            governance:
              defaults: {action: forward}
              rules: [{match: "deploy", action: approve, approval: ops}]
            approval: {ops: {timeout: 10m}}
            operators: [{name: alice, token_hash: "%s", roles: [view, approve]}]
            """
                .formatted(url, declaration, WatchedNode.hash(NodeCaller.ALICE)));
  }

  private static String retries(int attempts) {
    return """
    ,"params":{"retry":{"max_attempts":%d,"initial_delay":1,"max_delay":1}}\
    """
        .formatted(attempts);
  }

  private void execute(String tool, String more) throws IOException {
    JsonNode started =
        request(
            "tasks.execute",
            """
            {"tasks":[{"id":"%s","name":"one","schemas":{"method":"%s"},"inputs":{"version":"1"}%s}]}\
            """
                .formatted(ROOT, tool, more));
    assertThat(started.at("/result/status").asText()).as(started.toString()).isEqualTo("started");
  }

  private String status() {
    return task().path("status").asText();
  }

  private JsonNode task() {
    try {
      return request("tasks.get", "{\"task_id\":\"%s\"}".formatted(ROOT)).path("result");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<TreeTaskRetried> retried() {
    return events(TreeTaskRetried.class);
  }

  private <E extends Event> List<E> events(Class<E> type) {
    return RealJournal.events(node().journal(), node().vocabulary()).stream()
        .filter(type::isInstance)
        .map(type::cast)
        .toList();
  }

  /** The calls that were made for the task. */
  private JsonNode calls() throws IOException {
    return operator("audit.lookup", "{\"id\":\"%s\"}".formatted(ROOT))
        .at("/result/trees/0/tasks/0/calls");
  }

  private static long arrived(McpServer server) {
    return server.messages.stream().filter(message -> message.endsWith(" tools/call")).count();
  }

  private JsonNode waiting() throws IOException {
    return operator("approvals.list", "{}").at("/result/approvals");
  }

  private JsonNode operator(String method, String params) throws IOException {
    return node().operator(NodeCaller.ALICE, method, params);
  }

  private JsonNode request(String method, String params) throws IOException {
    return node().call(Port.CALLERS, "/flow", method, params);
  }
}
