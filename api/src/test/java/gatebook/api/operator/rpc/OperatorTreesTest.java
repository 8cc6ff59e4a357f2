package gatebook.api.operator.rpc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.command.rules.Credential;
import gatebook.command.rules.KnownOperator;
import gatebook.command.rules.KnownOperator.Role;
import gatebook.events.CallReceived;
import gatebook.events.Event;
import gatebook.events.ReceivedCall;
import gatebook.events.TreeExecutionStarted;
import gatebook.events.TreeTaskCompleted;
import gatebook.events.TreeTaskCreated;
import gatebook.events.TreeTaskFailed;
import gatebook.events.TreeTaskStarted;
import gatebook.events.call.Bytes;
import gatebook.events.call.Dialect;
import gatebook.events.call.Digest;
import gatebook.events.call.JsonValue;
import gatebook.events.call.KeptContent;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.tree.Sha256;
import gatebook.events.tree.TaskContent;
import gatebook.events.tree.TaskDependency;
import gatebook.query.call.EventData;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(300)
final class OperatorTreesTest {
  private static final Instant AT = Instant.parse("2026-01-02T03:04:05Z");
  private static final UUID TREE = UUID.fromString("0192aaaa-0000-7000-8000-00000000abcd");
  private static final UUID OTHER = UUID.fromString("0192bbbb-0000-7000-8000-000000000001");
  private static final UUID EXECUTION = UUID.fromString("0192cccc-0000-7000-8000-000000000001");
  private static final UUID CALL = UUID.fromString("0192eeee-0000-7000-8000-000000000001");
  private static final Digest DIGEST = new Digest("k1", Bytes.of(new byte[32]));
  private static final String ORIGINAL = "{\"the\":\"original\"}";
  private static final KeptContent INPUTS =
      new KeptContent(16, DIGEST, JsonValue.parse("{\"card\":\"4111\"}"), null);
  private static final KeptContent RESULT = new KeptContent(99, DIGEST, null, "{\"paid\":4222");
  private static final JsonMapper JSON = new JsonMapper();

  private static final KnownOperator VERA =
      new KnownOperator("vera", Bytes.of(Sha256.of("vera".getBytes(UTF_8))), Set.of(Role.VIEW));

  @RegisterExtension
  static final OperatorTestNodes NODES =
      new OperatorTestNodes(
          data -> new OperatorTestNode(data, () -> List.of(VERA), Optional.empty()));

  private OperatorTestNode node = NODES.shared();

  @Test
  void aTasksIdShowsItsTree() throws Exception {
    node = NODES.shared("a tree", OperatorTreesTest::appendTree);

    JsonNode result = lookup(node.token(), "pay");

    assertThat(result.path("notFound").isMissingNode()).isTrue();
    assertThat(result.path("calls")).hasSize(1);
    assertThat(result.path("moreTrees").asBoolean()).isFalse();
    ObjectNode tree = (ObjectNode) result.path("trees").path(0);
    JsonNode tasks = tree.remove("tasks");
    ((ObjectNode) tree.path("execution")).remove("node");
    assertThat(tree)
        .hasToString(
            """
            {"treeId":"%s","owner":"ada","rootTaskId":"order","name":"step order",\
            "status":"in_progress","taskCount":2,"counts":{"pending":1,"in_progress":0,\
            "completed":1,"failed":0,"cancelled":0},"createdAt":"2026-01-02T03:04:05Z",\
            "startedAt":"2026-01-02T03:04:06Z","endedAt":null,"durationMillis":null,\
            "lastEventAt":"2026-01-02T03:04:05.000000006Z","execution":%s,"webhook":null}\
            """
                .formatted(TREE, tree.path("execution")));
    assertThat(tree.path("execution").path("taskId").asText()).isEqualTo("order");
    assertThat(tasks.path(1))
        .hasToString(
            """
            {"taskId":"pay","parentId":"order","name":"step pay","executor":"transfer",\
            "priority":1,"dependencies":[{"id":"before","required":true}],"status":"completed",\
            "attempt":1,"origin":null,"inputs":{"sizeBytes":16,"redacted":{"card":"4111"}},\
            "result":{"sizeBytes":99,"beginning":"{\\"paid\\":4222"},"error":null,"code":null,\
            "callId":"%s","createdAt":"2026-01-02T03:04:05Z","startedAt":"2026-01-02T03:04:07Z",\
            "endedAt":"2026-01-02T03:04:09Z","deletedAt":null,"durationMillis":2000,\
            "calls":[{"callId":"%s","correlationId":"order-7","dialect":"flow",\
            "method":"tasks.execute","target":"transfer","principal":"ada","status":"held",\
            "gate":null,"code":null,"fault":null,"receivedAt":"2026-01-02T03:04:05Z",\
            "durationMillis":null}]}\
            """
                .formatted(CALL, CALL));
  }

  @ParameterizedTest
  @CsvSource({
    "0192aaaa-0000-7000-8000-00000000abcd, 0",
    "order, 0",
    "0192eeee-0000-7000-8000-000000000001, 1"
  })
  void aTreeIsShownByEachOfItsIds(String id, int calls) throws Exception {
    node = NODES.shared("a tree", OperatorTreesTest::appendTree);

    JsonNode result = lookup(node.token(), id);

    assertThat(result.path("calls")).hasSize(calls);
    assertThat(result.at("/trees/0/treeId").asText()).isEqualTo(TREE.toString());
    assertThat(result.has("notFound")).isFalse();
  }

  @Test
  void aLookupWithoutTreesHasNoSuchMember() throws Exception {
    node = NODES.own();
    node.append(received(null));

    assertThat(lookup(node.token(), "order-7").fieldNames())
        .toIterable()
        .containsExactly("calls", "more");
  }

  @Test
  void aTreeThatCameLaterIsNotShown() throws Exception {
    node = NODES.shared("a tree", OperatorTreesTest::appendTree);

    JsonNode result =
        result(
            node.token(),
            "audit.lookup",
            """
            {"id":"order","asOf":"1999-01-01T00:00:00Z"}\
            """);

    assertThat(result.has("trees")).isFalse();
    assertThat(result.at("/notFound/reason").asText()).isEqualTo("came-later");
  }

  @Test
  void inputsAndResultsRequireTheRoleForArguments() throws Exception {
    node = NODES.shared("a tree", OperatorTreesTest::appendTree);

    JsonNode task = lookup("vera", "pay").at("/trees/0/tasks/1");

    assertThat(task.has("inputs")).isFalse();
    assertThat(task.path("result")).hasToString("{\"sizeBytes\":99}");
    assertThat(lookup(node.token(), "pay").toString()).contains("4111", "4222");
    assertThat(lookup("vera", "pay").toString()).doesNotContain("4111", "4222", "the", "original");
  }

  @Test
  void eventsOfTreesShowNoOriginals() {
    node = NODES.own();
    JsonNode created = restricted(created(TREE, "ada", "pay", null), Role.VIEW);
    assertThat(created.path("content").fieldNames())
        .toIterable()
        .containsExactly("name", "executor", "priority", "dependencies");

    JsonNode seen = restricted(created(TREE, "ada", "pay", null), Role.VIEW, Role.ARGUMENTS);
    assertThat(seen.path("content").path("inputs").path("redacted"))
        .hasToString("{\"card\":\"4111\"}");
    assertThat(seen.toString()).doesNotContain("the", "original");

    JsonNode completed = restricted(completed(), Role.VIEW);
    assertThat(completed.has("result")).isFalse();
    assertThat(completed.path("kept").path("sizeBytes").asInt()).isEqualTo(99);
    assertThat(completed.path("kept").has("beginning")).isFalse();
  }

  @Test
  void treesAreListedPageByPage() throws Exception {
    node = NODES.own();
    appendTree(node);
    node.append(created(OTHER, "grace", "other", null), failed());

    JsonNode first = result("vera", "audit.trees", "{\"limit\":1}");
    JsonNode second =
        result(
            "vera",
            "audit.trees",
            """
            {"limit":1,"cursor":%s}\
            """
                .formatted(first.path("cursor")));

    assertThat(first.at("/trees/0/treeId").asText()).isEqualTo(OTHER.toString());
    assertThat(first.at("/trees/0/counts/failed").asInt()).isEqualTo(1);
    assertThat(second.at("/trees/0/treeId").asText()).isEqualTo(TREE.toString());
    assertThat(second.has("cursor")).isFalse();
    assertThat(second.path("upToDate").asBoolean()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      value = {
        "{} | 2",
        "{\"owner\":\"ada\"} | 1",
        "{\"owner\":\"alan\"} | 0",
        "{\"status\":\"in_progress\"} | 1",
        "{\"owner\":\"ada\",\"status\":\"pending\"} | 0",
      })
  void treesAreFilteredByOwnerAndStatus(String params, int found) throws Exception {
    node =
        NODES.shared(
            "two trees",
            empty -> {
              appendTree(empty);
              empty.append(created(OTHER, "grace", "other", null));
            });

    assertThat(result("vera", "audit.trees", params).path("trees")).hasSize(found);
  }

  @Test
  void anUnknownStatusIsRefused() throws Exception {
    assertThat(node.call(question("audit.trees", "{\"status\":\"gone\"}")))
        .contains("status must be one of pending, in_progress, completed, failed, cancelled");
  }

  private static void appendTree(OperatorTestNode node) {
    node.append(created(TREE, "ada", "order", null), created(TREE, "ada", "pay", "order"));
    node.append(
        new TreeExecutionStarted(
            TREE, "ada", EXECUTION, "order", CALL, false, AT.plusSeconds(1), null, null),
        new TreeTaskStarted(TREE, "pay", "ada", EXECUTION, 1, null, AT.plusSeconds(2)),
        received("pay"),
        completed());
  }

  private JsonNode lookup(String token, String id) throws Exception {
    return result(token, "audit.lookup", "{\"id\":\"%s\"}".formatted(id));
  }

  private JsonNode result(String token, String method, String params) throws Exception {
    return JSON.readTree(node.callAs(token, question(method, params))).path("result");
  }

  private static String question(String method, String params) {
    return """
    {"jsonrpc":"2.0","id":1,"method":"%s","params":%s}\
    """
        .formatted(method, params);
  }

  private JsonNode restricted(Event event, Role... roles) {
    node.append(event);
    Entry entry = node.journal().read(node.journal().head() - 1, 1).getFirst();
    JsonNode data = EventData.of(entry, node.vocabulary()).json();
    VisibleEvent.restrict(
        data, new Operator("one", Set.of(roles), new Credential.Token(Bytes.of(new byte[32]))));
    return data;
  }

  private static TreeTaskCreated created(
      UUID tree, String owner, String task, @Nullable String parent) {
    TaskContent content =
        new TaskContent(
            "step " + task,
            "transfer",
            1,
            List.of(new TaskDependency("before", true)),
            INPUTS,
            ORIGINAL);
    return new TreeTaskCreated(tree, task, owner, parent, content, CALL, AT);
  }

  private static TreeTaskCompleted completed() {
    return new TreeTaskCompleted(TREE, "pay", "ada", 1, CALL, RESULT, ORIGINAL, AT.plusSeconds(4));
  }

  private static TreeTaskFailed failed() {
    return new TreeTaskFailed(OTHER, "other", "grace", 1, "no", null, null, AT.plusSeconds(4));
  }

  private static CallReceived received(@Nullable String task) {
    return ReceivedCall.of(CALL, AT)
        .in(Dialect.FLOW, null)
        .method("tasks.execute")
        .by("ada")
        .to("demo", "transfer")
        .task(task)
        .event();
  }
}
