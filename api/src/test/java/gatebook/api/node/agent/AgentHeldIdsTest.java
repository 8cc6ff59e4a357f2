package gatebook.api.node.agent;

import static gatebook.api.node.NodeCaller.ANN;
import static gatebook.api.node.NodeCaller.JOE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.node.NodeReply;
import gatebook.api.node.WatchedNode;
import gatebook.api.node.a2a.A2aWireVersion;
import gatebook.api.node.a2a.StubAgent;
import gatebook.events.CallAnswered;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The ids that senders were told while their messages were held, in later requests: the agent gets
 * its own, and the sender what it was told.
 */
@Timeout(300)
final class AgentHeldIdsTest {
  private static final String NOT_FOUND = "-32001 Task not found";
  private static final String STORE = "gatebook_a2a_store_operations_total";
  private static final A2aWireVersion V1 = A2aWireVersion.V1;

  @RegisterExtension static final TestAgents AGENTS = new TestAgents();

  private @Nullable Path folder;
  private @Nullable AgentBehindNode started;

  /** A held message, as its sender was told. */
  private record Held(NodeReply reply, String task, String context) {}

  @ParameterizedTest
  @CsvSource({"V03,V03", "V03,V1", "V1,V03", "V1,V1"})
  void messageInTheToldContextIsInTheAgents(A2aWireVersion version, A2aWireVersion spoken)
      throws IOException {
    start(spoken);
    Held held = held(version, "");
    approve(held);

    agent().answerScript = stream -> stream.sent("task-7", "context-1");
    JsonNode task = version.task(sent(version, "script", context(held.context)).result());
    assertThat(task.path("id").asText()).isEqualTo("task-7");
    assertThat(task.path("contextId").asText()).isEqualTo(held.context);
    assertThat(lastContext()).isEqualTo("context-1");

    agent().streamScript =
        stream -> {
          stream.task("task-1", "working");
          stream.task("task-1", "completed");
        };
    NodeReply streamed =
        post(version, version.stream, message(version, "plan", context(held.context)), JOE);
    assertThat(streamed.result().toString())
        .contains(held.task, held.context)
        .doesNotContain("\"task-1\"", "context-1");
    assertThat(lastContext()).isEqualTo("context-1");
  }

  @ParameterizedTest
  @EnumSource
  void heldMessageGoesOnInTheContextOfLaterOnes(A2aWireVersion version) throws IOException {
    start(version);
    Held held = held(version, "");

    JsonNode first = version.task(sent(version, "plan", context(held.context)).result());
    assertThat(first.path("contextId").asText()).isEqualTo(held.context);
    assertThat(agent().requests.getLast().at("/params/message/contextId").isMissingNode()).isTrue();

    approve(held);
    assertThat(lastContext()).isEqualTo("context-1");
    JsonNode got = get(version, held.task);
    assertThat(got.path("contextId").asText()).isEqualTo(held.context);
  }

  @ParameterizedTest
  @EnumSource
  void contextOfTheSenderIsPairedWithTheAgents(A2aWireVersion version) throws IOException {
    start(version);
    Held held = held(version, context("of-joe"));
    assertThat(held.context).isEqualTo("of-joe");
    assertThat(sent(version, "plan", context("of-joe"), ANN).error()).isEqualTo(NOT_FOUND);
    approve(held);
    assertThat(lastContext()).isEqualTo("of-joe");

    JsonNode more = version.task(sent(version, "plan", context("of-joe")).result());

    assertThat(lastContext()).isEqualTo("context-1");
    assertThat(more.path("contextId").asText()).isEqualTo("context-2"); // the agent's third
  }

  @ParameterizedTest
  @EnumSource
  void toldIdsAreTheSendersOnly(A2aWireVersion version) throws IOException {
    start(version);
    Held held = held(version, "");

    assertForeign(version, held);
    approve(held);
    assertForeign(version, held);
    assertThat(agent().requests).hasSize(1);
  }

  private void assertForeign(A2aWireVersion version, Held held) throws IOException {
    for (String member :
        List.of(
            context(held.context),
            ",\"metadata\":{\"context_id\":[\"%s\"]}".formatted(held.context),
            ",\"referenceTaskIds\":[\"%s\"]".formatted(held.task),
            ",\"taskId\":\"%s\"".formatted(held.task))) {
      assertThat(sent(version, "plan", member, ANN).error()).as(member).isEqualTo(NOT_FOUND);
    }
    if (version == V1) {
      assertThat(list(",\"contextId\":\"%s\"".formatted(held.context), ANN).error())
          .isEqualTo(NOT_FOUND);
      assertThat(list("", ANN).result().path("tasks")).isEmpty();
      agent().requests.removeLast();
    }
  }

  @ParameterizedTest
  @EnumSource
  void agentGetsItsIdsWhereverToldOnesAre(A2aWireVersion version) throws IOException {
    start(version);
    Held held = held(version, "");
    approve(held);
    started().close();
    start(version);
    agent().answerScript =
        stream ->
            stream.answer(
                """
                {"jsonrpc":"2.0","id":%s,"result":%s}\
                """
                    .formatted(
                        agent().requests.getLast().path("id"),
                        version == V1
                            ? "{\"task\":{\"id\":\"task-9\",\"contextId\":\"context-1\",%s}}"
                                .formatted(history(version))
                            : "{\"kind\":\"task\",\"id\":\"task-9\",\"contextId\":\"context-1\",%s}"
                                .formatted(history(version))));

    String members =
        """
        ,"contextId":"C","referenceTaskIds":["T"],"metadata":{"a":[{"task_id":"T"}],"contextId":"C"}\
        """
            .replace("\"C\"", "\"%s\"".formatted(held.context))
            .replace("\"T\"", "\"%s\"".formatted(held.task));
    JsonNode task = version.task(sent(version, "script", members).result());

    JsonNode got = agent().requests.getLast().at("/params/message");
    assertThat(got.toString()).doesNotContain(held.task, held.context);
    assertThat(got.path("referenceTaskIds").toString()).isEqualTo("[\"task-1\"]");
    assertThat(got.path("metadata").toString())
        .isEqualTo("{\"a\":[{\"task_id\":\"task-1\"}],\"contextId\":\"context-1\"}");
    assertThat(task.path("contextId").asText()).isEqualTo(held.context);
    assertThat(task.at("/history/0/referenceTaskIds/0").asText()).isEqualTo(held.task);
    assertThat(task.at("/history/0/contextId").asText()).isEqualTo(held.context);
  }

  private static String history(A2aWireVersion version) {
    String message =
        version.textMessage(
            "m", "plan", ",\"contextId\":\"context-1\",\"referenceTaskIds\":[\"task-1\"]");
    return "\"status\":{\"state\":\"%s\"},\"history\":[%s]"
        .formatted(
            version.state("completed"),
            message.substring("{\"message\":".length(), message.length() - 1));
  }

  @ParameterizedTest
  @EnumSource
  void agentsOwnIdsStayAsTheyAre(A2aWireVersion version) throws IOException {
    start(version);
    Held held = held(version, "");
    approve(held);

    JsonNode own = get(version, "task-1");
    JsonNode both =
        version.task(
            sent(
                    version,
                    "plan",
                    ",\"taskId\":\"%s\",\"contextId\":\"context-1\",\"referenceTaskIds\":[\"task-1\"]"
                        .formatted(held.task))
                .result());

    assertThat(ids(own)).isEqualTo("task-1 context-1");
    assertThat(ids(both)).isEqualTo(held.task + " " + held.context);
    agent().answerScript = stream -> stream.sent("task-1", "context-1");
    assertThat(ids(version.task(sent(version, "script", context("context-1")).result())))
        .isEqualTo("task-1 context-1");
    agent().answerScript = stream -> stream.sent("task-1", "context-third");
    assertThat(
            ids(
                version.task(
                    sent(version, "script", ",\"taskId\":\"%s\"".formatted(held.task)).result())))
        .isEqualTo(held.task + " " + held.context);
  }

  @Test
  void heldMessagesAreListedOnceAmongTheAgentsTasks() throws IOException {
    start(V1);
    Held first = held(V1, "");
    Held rejected = held(V1, "");
    node().decide(rejected.reply.correlationId(), false, "no");
    Held waiting = held(V1, context(first.context));
    await().untilAsserted(() -> assertThat(state(rejected)).isEqualTo("TASK_STATE_REJECTED"));

    assertThat(listed("", 50)).containsExactlyInAnyOrder(id(waiting), id(rejected), id(first));
    approve(first);
    assertThat(listed("", 50)).containsExactlyInAnyOrder(id(first), id(waiting), id(rejected));
    assertThat(listed("", 1)).containsExactlyInAnyOrder(id(first), id(waiting), id(rejected));
    assertThat(listed(",\"status\":\"TASK_STATE_SUBMITTED\"", 1)).contains(id(waiting));
    assertThat(listed(",\"status\":\"TASK_STATE_SUBMITTED\"", 1)).doesNotContain(id(rejected));
    assertThat(listed(",\"contextId\":\"%s\"".formatted(rejected.context), 9))
        .containsExactly(id(rejected));
    assertThat(listed(",\"contextId\":\"%s\"".formatted(first.context), 9))
        .containsExactlyInAnyOrder(id(first), id(waiting));
    assertThat(agent().requests.getLast().at("/params/contextId").asText()).isEqualTo("context-1");
    assertThat(list(",\"status\":\"TASK_STATE_SUBMITTED\"", JOE).result().toString())
        .contains("Waits for approval");
  }

  @ParameterizedTest
  @EnumSource
  void requestAboutAHeldTaskCountsOnce(A2aWireVersion version) throws IOException {
    start(version);
    Held held = held(version, "");
    approve(held);

    assertThat(counted(version.get, about(held))).containsExactly("get success");
    assertThat(counted(version.subscribe, about(held))).containsExactly("get success");
    assertThat(counted(version.cancel, about(held))).containsExactly("cancel success");
    assertThat(
            counted(
                version.send,
                message(
                    version,
                    "plan",
                    ",\"taskId\":\"%s\"%s".formatted(held.task, context(held.context)))))
        .containsExactly("get success");
  }

  private static String about(Held held) {
    return "{\"id\":\"%s\"}".formatted(held.task);
  }

  /** What a request does with stored tasks. */
  private List<String> counted(String method, String params) throws IOException {
    A2aWireVersion version = Character.isUpperCase(method.charAt(0)) ? V1 : A2aWireVersion.V03;
    Map<String, Double> before = node().counted(STORE);
    post(version, method, params, JOE).result();
    return node().counted(STORE).entrySet().stream()
        .filter(after -> after.getValue() > before.getOrDefault(after.getKey(), 0.0))
        .map(after ->
            after.getKey().replaceAll(".*operation=\"(\\w+)\".*result=\"(\\w+)\".*", "$1 $2")
                + (after.getValue() - before.getOrDefault(after.getKey(), 0.0) > 1 ? " twice" : ""))
        .toList();
  }

  /** The id and the context of each task on all pages. */
  private List<String> listed(String filter, int pageSize) throws IOException {
    List<String> tasks = new ArrayList<>();
    String token = "";
    do {
      JsonNode page =
          list(
                  filter
                      + ",\"pageToken\":\"%s\"".formatted(token)
                      + ",\"pageSize\":%d".formatted(pageSize),
                  JOE)
              .result();
      page.path("tasks").forEach(task -> tasks.add(ids(task)));
      token = page.path("nextPageToken").asText();
    } while (!token.isEmpty());
    return tasks;
  }

  private static String id(Held held) {
    return held.task + " " + held.context;
  }

  private static String ids(JsonNode task) {
    return task.path("id").asText() + " " + task.path("contextId").asText();
  }

  private String state(Held held) throws IOException {
    return get(V1, held.task).at("/status/state").asText();
  }

  private NodeReply list(String filter, String token) throws IOException {
    return post(V1, "ListTasks", "{\"historyLength\":9%s}".formatted(filter), token);
  }

  private void start(A2aWireVersion spoken) throws IOException {
    folder = folder == null ? AGENTS.folder() : folder;
    started = AGENTS.own(folder, spoken);
  }

  private Held held(A2aWireVersion version, String member) throws IOException {
    String params =
        version.configured(
            message(version, "plan", ",\"metadata\":{\"skillId\":\"route\"}" + member), false);
    NodeReply reply = post(version, version.send, params, JOE);
    JsonNode task = version.task(reply.result());
    return new Held(reply, task.path("id").asText(), task.path("contextId").asText());
  }

  private void approve(Held held) throws IOException {
    String call = held.reply.correlationId();
    node().decide(call, true, "fine");
    await()
        .untilAsserted(
            () -> assertThat(node().events(call).getLast()).isInstanceOf(CallAnswered.class));
  }

  private static String context(String id) {
    return ",\"contextId\":\"%s\"".formatted(id);
  }

  private static String message(A2aWireVersion version, String text, String member) {
    return version.textMessage(text, member);
  }

  private NodeReply sent(A2aWireVersion version, String text, String member) throws IOException {
    return sent(version, text, member, JOE);
  }

  private NodeReply sent(A2aWireVersion version, String text, String member, String token)
      throws IOException {
    return post(version, version.send, message(version, text, member), token);
  }

  private JsonNode get(A2aWireVersion version, String id) throws IOException {
    return post(version, version.get, "{\"id\":\"%s\"}".formatted(id), JOE).result();
  }

  private NodeReply post(A2aWireVersion version, String method, String params, String token)
      throws IOException {
    return node().as(token).post(version.path("planner"), method, params);
  }

  private String lastContext() {
    return agent().requests.getLast().at("/params/message/contextId").asText();
  }

  private StubAgent agent() {
    return started().agent();
  }

  private WatchedNode node() {
    return started().node();
  }

  private AgentBehindNode started() {
    return Objects.requireNonNull(started);
  }
}
