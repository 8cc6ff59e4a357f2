package gatebook.api.node.flow;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.node.NodeCaller;
import gatebook.api.node.TestNodes;
import gatebook.api.node.WatchedNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The limits of trees of tasks, as callers meet them over HTTP. */
@Timeout(300)
final class TreeLimitsOverHttpTest {
  private static final String RULES =
      """
      schema: 1
      sources: [{id: demo, kind: demo}]
      governance:
        defaults: {action: forward}
        rules: [{match: "deploy", action: approve, approval: ops}]
      approval: {ops: {timeout: 10m}}
      limits: {trees_open_per_principal_max: 2, tree_result_bytes_max: 1024, \
      held_per_principal_max: 2}
      """
          + NodeCaller.people("view, approve, arguments");

  @RegisterExtension static final TestNodes NODES = new TestNodes();

  private WatchedNode node;

  /** Ann, but in the test that counts the open trees of joe; she leaves one open. */
  private NodeCaller caller;

  @BeforeEach
  void start() throws IOException {
    node = NODES.shared(RULES);
    caller = node.ann();
  }

  @Test
  void tasksBeyondTheApprovalsThatMayWaitWaitForRoom() throws IOException {
    String root = UUID.randomUUID().toString();
    String echo = UUID.randomUUID().toString();
    List<String> deploys = Stream.generate(() -> UUID.randomUUID().toString()).limit(4).toList();
    String tasks =
        Stream.concat(deploys.stream(), Stream.of(echo))
            .map(id ->
                """
                {"id":"%s","name":"a","parent_id":"%s","schemas":{"method":"%s"},\
                "inputs":{"version":"%s"}}\
                """
                    .formatted(id, root, id.equals(echo) ? "echo" : "deploy", id))
            .collect(joining(",", "[{\"id\":\"%s\",\"name\":\"a\"},".formatted(root), "]"));

    request("/flow", "tasks.execute", "{\"tasks\":%s}".formatted(tasks));
    await().until(() -> status(echo).equals("completed") && waiting().size() == 2);
    List<String> first = waiting();
    await().until(() -> deploys.stream().map(this::status).allMatch("in_progress"::equals));
    String cancelled =
        deploys.stream()
            .filter(id -> !approvals().toString().contains(id))
            .findFirst()
            .orElseThrow();
    request("/flow", "tasks.cancel", "{\"task_id\":\"%s\"}".formatted(cancelled));
    assertThat(waiting()).isEqualTo(first);

    Set<String> approved = new HashSet<>();
    while (approved.size() < 3) {
      await().until(() -> !approved.containsAll(waiting()));
      List<String> calls = waiting();
      assertThat(calls).hasSizeLessThanOrEqualTo(2);
      calls.stream().filter(approved::add).limit(1).forEach(this::approve);
    }

    await().until(() -> deploys.stream().map(this::status).noneMatch("in_progress"::equals));
    assertThat(deploys)
        .allMatch(id -> status(id).equals(id.equals(cancelled) ? "cancelled" : "completed"));
  }

  private String status(String id) {
    return get(id).path("status").asText();
  }

  private List<String> waiting() {
    return approvals().findValuesAsText("callId");
  }

  /** The calls that wait for an approval. */
  private JsonNode approvals() {
    try {
      return node.operator(NodeCaller.ALICE, "approvals.list", "{}").at("/result/approvals");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void approve(String call) {
    try {
      node.operator(NodeCaller.ALICE, "approvals.approve", "{\"callId\":\"%s\"}".formatted(call));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void oneMoreOpenTreeIsRefusedUntilOneEnds() throws IOException {
    caller = node.joe();
    String first = create().at("/result/id").asText();
    create();
    awaitView();

    JsonNode refused = create();
    assertThat(refused.at("/error/code").asInt()).isEqualTo(-32005);
    assertThat(refused.at("/error/data/reason").asText())
        .isEqualTo(
            "You have 2 open trees, and the limit is 2: wait until one has ended, or cancel one");

    request("/flow", "tasks.cancel", "{\"task_id\":\"%s\"}".formatted(first));
    awaitView();
    assertThat(create().at("/result/status").asText()).isEqualTo("pending");
  }

  @Test
  void resultAboveItsLimitFailsTheTask() throws IOException {
    String id = UUID.randomUUID().toString();
    String task =
        "{\"id\":\"%s\",\"name\":\"a\",\"schemas\":{\"method\":\"echo\"},\"inputs\":{\"text\":\"%s\"}}"
            .formatted(id, "x".repeat(1_024));

    request("/flow", "tasks.execute", "{\"tasks\":[%s]}".formatted(task));

    await().until(() -> "failed".equals(get(id).path("status").asText()));
    assertThat(get(id).path("error").asText())
        .matches("the result has 1\\d{3} bytes, and at most 1024 are allowed");
  }

  @Test
  void resultsOfOthersAboveTheLimitFailTheTask() throws IOException {
    List<String> ids = Stream.generate(() -> UUID.randomUUID().toString()).limit(3).toList();
    String echo =
        ",\"parent_id\":\"%s\",\"schemas\":{\"method\":\"echo\"},\"inputs\":{\"text\":\"%s\"}"
            .formatted(ids.getFirst(), "x".repeat(600));
    String root =
        ",\"schemas\":{\"method\":\"aggregate_results_executor\"},\"dependencies\":[{\"id\":\"%s\"},{\"id\":\"%s\"}]"
            .formatted(ids.get(1), ids.get(2));

    request(
        "/flow",
        "tasks.execute",
        ids.stream()
            .map(id ->
                "{\"id\":\"%s\",\"name\":\"a\"%s}"
                    .formatted(id, id.equals(ids.getFirst()) ? root : echo))
            .collect(joining(",", "{\"tasks\":[", "]}")));

    await().until(() -> "failed".equals(get(ids.getFirst()).path("status").asText()));
    assertThat(get(ids.getFirst()).path("error").asText())
        .isEqualTo("The results of the tasks that it depends on have more than 1024 characters");
    assertThat(get(ids.get(1)).path("status").asText()).isEqualTo("completed");
  }

  @Test
  void rootMayDependOnEveryOtherTask() throws IOException {
    String root = UUID.randomUUID().toString();

    JsonNode created =
        request("/flow", "tasks.create", wide(9_999, root, () -> UUID.randomUUID().toString()));

    assertThat(created.has("error")).as(created.path("error").toString()).isFalse();
    assertThat(get(root).path("dependencies")).hasSize(9_999);
  }

  @Test
  void dependenciesThatFitIntoNoEventAreRefused() throws IOException {
    JsonNode refused =
        request(
            "/flow/tasks",
            "tasks.create",
            wide(4_000, "root", () -> UUID.randomUUID() + "x".repeat(255 - 36)));

    assertThat(refused.at("/error/code").asInt()).as(refused.toString()).isEqualTo(-32005);
    assertThat(refused.at("/error/data/expected").asText()).isEqualTo("at most 983040 bytes");
  }

  /** A tree whose root depends on all other tasks, of which there may be 9,999. */
  private static String wide(int count, String root, Supplier<String> ids) {
    List<String> others = Stream.generate(ids).limit(count).toList();
    String dependencies =
        others.stream().map("{\"id\":\"%s\",\"required\":true}"::formatted).collect(joining(","));
    return others.stream()
        .map(id -> "{\"id\":\"%s\",\"name\":\"%s\",\"parent_id\":\"%s\"}".formatted(id, id, root))
        .collect(
            joining(
                ",",
                "[{\"id\":\"%s\",\"name\":\"root\",\"dependencies\":[%s]},"
                    .formatted(root, dependencies),
                "]"));
  }

  private JsonNode create() throws IOException {
    return request("/flow", "tasks.create", "{\"name\":\"a\"}");
  }

  /** A list shows what was created and cancelled before. */
  private void awaitView() throws IOException {
    request("/flow", "tasks.list", "{}");
  }

  private JsonNode get(String id) {
    try {
      return request("/flow", "tasks.get", "{\"task_id\":\"%s\"}".formatted(id)).path("result");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private JsonNode request(String path, String method, String params) throws IOException {
    return caller.post(path, method, params).response();
  }
}
