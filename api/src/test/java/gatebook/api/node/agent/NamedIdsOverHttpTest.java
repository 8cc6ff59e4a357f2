package gatebook.api.node.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.node.NodeCaller;
import gatebook.api.node.NodeReply;
import gatebook.api.node.a2a.A2aWireVersion;
import gatebook.api.node.a2a.StubAgent;
import gatebook.events.fault.TaskFault.TaskNotFound;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The ids of tasks and contexts that requests name anywhere: the caller's own, or not found. */
final class NamedIdsOverHttpTest {
  private static final String NOT_FOUND = "-32001 Task not found";
  private static final List<String> REFUSED = List.of("CallReceived", "ErrorTranslated");

  @RegisterExtension static final TestAgents AGENTS = new TestAgents();

  private @Nullable AgentBehindNode started;

  /** The task and the context of a caller. */
  private record Ids(String task, String context) {}

  @BeforeEach
  void start() throws IOException {
    started =
        AGENTS.shared(
            A2aWireVersion.V1,
            """
            timeout: 20s}, {id: writer, kind: a2a, url: "http://127.0.0.1:1"}, \
            {id: demo, kind: demo\
            """,
            "agent_card_wait_millis_max: 60000, agent_request_ids_max: 3");
  }

  /** Members of a message that name a task or a context, wherever agents may read them. */
  private static Stream<String> members(Ids ids) {
    return Stream.of(
            "'taskId':'T'",
            "'task_id':'T'",
            "'contextId':'C'",
            "'context_id':'C'",
            "'referenceTaskIds':['T']",
            "'reference_task_ids':['T']",
            "'reference\\u0054askIds':['T']",
            "'metadata':{'task_id':'T'}",
            "'metadata':{'a':[[{'referenceTaskIds':[['T']]}]]}",
            "'metadata':{'contextId':{'context_id':'C'}}",
            "'extra':{'contextId':['C']}")
        .map(it -> it.replace('\'', '"').replace("T\"", ids.task + "\""))
        .map(it -> it.replace("\"C\"", "\"" + ids.context + "\""));
  }

  @ParameterizedTest
  @EnumSource
  void idOfAnotherCallerReachesNoAgent(A2aWireVersion version) throws IOException {
    Ids joes = begun(version, NodeCaller.JOE);
    Ids anns = begun(version, NodeCaller.ANN);
    int requests = agent().requests.size();

    for (String member : members(joes).map(it -> "," + it).toList()) {
      assertRefused(version, version.send, version.textMessage("plan", member));
      assertRefused(version, version.stream, version.textMessage("plan", member));
    }
    String reference = "\"referenceTaskIds\":[\"%s\"]".formatted(joes.task);
    assertRefused(
        version,
        version.send,
        version.textMessage("plan", ",\"taskId\":\"%s\",%s".formatted(anns.task, reference)));
    assertRefused(version, version.send, version.skillMessage("plan", "{%s}".formatted(reference)));
    for (String method : List.of(version.get, version.cancel, version.subscribe)) {
      assertRefused(
          version, method, "{\"id\":\"%s\",\"metadata\":{%s}}".formatted(anns.task, reference));
    }
    assertThat(agent().requests).hasSize(requests);
  }

  private void assertRefused(A2aWireVersion version, String method, String params)
      throws IOException {
    NodeReply reply = post(version, method, params, NodeCaller.ANN);

    assertThat(reply.error()).as(params).isEqualTo(NOT_FOUND);
    assertThat(reply.fault()).isInstanceOf(TaskNotFound.class);
    assertThat(reply.eventNames()).isEqualTo(REFUSED);
  }

  @Test
  void contextOfAnotherCallerSelectsNoList() throws IOException {
    Ids joes = begun(A2aWireVersion.V1, NodeCaller.JOE);
    int requests = agent().requests.size();

    for (String member : List.of("contextId", "context_id")) {
      String filter = "{\"%s\":\"%s\"}".formatted(member, joes.context);
      assertThat(post(A2aWireVersion.V1, "ListTasks", filter, NodeCaller.ANN).error())
          .isEqualTo(NOT_FOUND);
      assertThat(agent().requests).hasSize(requests);
      post(A2aWireVersion.V1, "ListTasks", filter, NodeCaller.JOE).result();
      requests++;
    }
    assertThat(agent().requests).hasSize(requests);
  }

  @ParameterizedTest
  @EnumSource
  void idsOfTheCallerReachTheAgent(A2aWireVersion version) throws IOException {
    Ids joes = begun(version, NodeCaller.JOE);

    for (String member : members(joes).map(it -> "," + it).toList()) {
      assertThat(post(version, version.send, version.textMessage("plan", member), NodeCaller.JOE))
          .as(member)
          .satisfies(NodeReply::result);
    }
    assertThat(agent().requests)
        .anyMatch(it -> it.at("/params/message/referenceTaskIds/0").asText().equals(joes.task));
  }

  @ParameterizedTest
  @EnumSource
  void idsOfOneAgentAreUnknownAtAnother(A2aWireVersion version) throws IOException {
    Ids joes = begun(version, NodeCaller.JOE);

    String member = ",\"referenceTaskIds\":[\"%s\"]".formatted(joes.task);
    assertUnknownAtWriter(version, version.send, version.textMessage("plan", member));
  }

  @ParameterizedTest
  @EnumSource
  void contextAnywhereIsThatOfTheFirstWhoNamesIt(A2aWireVersion version) throws IOException {
    String member =
        ",\"metadata\":{\"contextId\":\"first-%s\"}".formatted(version.segment.charAt(1));

    post(version, version.send, version.textMessage("plan", member), NodeCaller.JOE).result();

    assertRefused(version, version.send, version.textMessage("plan", member));
    post(version, version.send, version.textMessage("plan", member), NodeCaller.JOE).result();
  }

  @ParameterizedTest
  @EnumSource
  void heldMessageIsATaskOfItsSender(A2aWireVersion version) throws IOException {
    String held =
        version.configured(
            version.textMessage("plan", ",\"metadata\":{\"skillId\":\"route\"}"), false);
    String task =
        version
            .task(post(version, version.send, held, NodeCaller.JOE).result())
            .path("id")
            .asText();
    String reference = ",\"referenceTaskIds\":[\"%s\"]".formatted(task);

    assertRefused(version, version.send, version.textMessage("plan", reference));
    post(version, version.send, version.textMessage("plan", reference), NodeCaller.JOE).result();
    for (String method : List.of(version.get, version.cancel)) {
      assertUnknownAtWriter(version, method, "{\"id\":\"%s\"}".formatted(task));
    }
    assertUnknownAtWriter(version, version.send, version.textMessage("plan", reference));
    assertThat(
            post(version, version.get, "{\"id\":\"%s\"}".formatted(task), NodeCaller.JOE)
                .result()
                .at("/status/state")
                .asText())
        .isEqualTo(version.state("submitted"));
  }

  private void assertUnknownAtWriter(A2aWireVersion version, String method, String params)
      throws IOException {
    NodeReply reply =
        started().node().as(NodeCaller.JOE).post(version.path("writer"), method, params);

    assertThat(reply.error()).as(params).isEqualTo(NOT_FOUND);
    assertThat(reply.eventNames()).isEqualTo(REFUSED);
  }

  @Test
  void callerWithoutAVersionIsToldIn404() throws IOException {
    Ids joes = begun(A2aWireVersion.V03, NodeCaller.JOE);

    NodeReply reply =
        started()
            .node()
            .as(NodeCaller.ANN)
            .post(
                "/a2a/planner",
                "message/send",
                A2aWireVersion.V03.textMessage(
                    "plan", ",\"referenceTaskIds\":[\"%s\"]".formatted(joes.task)));

    assertThat(reply.status()).isEqualTo(404);
    assertThat(reply.error()).startsWith("-32000 ");
  }

  @Test
  void requestNamesNoMoreIdsThanTheLimit() throws IOException {
    for (int count : List.of(3, 4)) {
      List<String> ids =
          IntStream.range(0, count).mapToObj(id -> "\"of-%d\"".formatted(id)).toList();
      NodeReply reply =
          post(
              A2aWireVersion.V1,
              "SendMessage",
              A2aWireVersion.V1.textMessage(
                  "plan", ",\"metadata\":{\"contextId\":%s}".formatted(ids)),
              NodeCaller.JOE);
      if (count == 3) {
        reply.result();
      } else {
        assertThat(reply.error())
            .isEqualTo(
                "-32602 Invalid parameters: params:"
                    + " expected at most 3 ids of tasks and contexts");
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void builtInAgentKnowsNoTaskOfAnotherCaller(A2aWireVersion version) throws IOException {
    NodeReply joes = skill(version, "", NodeCaller.JOE);
    String task = version.task(joes.result()).path("id").asText();
    String reference = "\"referenceTaskIds\":[\"%s\"],".formatted(task);

    NodeReply foreign = skill(version, reference, NodeCaller.ANN);
    NodeReply unknown =
        skill(version, reference.replace(task, "task-of-another-agent"), NodeCaller.JOE);

    assertThat(foreign.error()).isEqualTo(NOT_FOUND);
    assertThat(foreign.eventNames()).isEqualTo(REFUSED);
    assertThat(unknown.error()).isEqualTo(NOT_FOUND);
    JsonNode own = version.task(skill(version, reference, NodeCaller.JOE).result());
    assertThat(own.at("/status/state").asText()).isEqualTo(version.state("completed"));
  }

  /** A message with arguments that have names of ids: they are those of the tool. */
  private NodeReply skill(A2aWireVersion version, String member, String token) throws IOException {
    String params =
        version
            .skillMessage("echo", "{\"taskId\":\"PROJ-1\"}")
            .replace("\"messageId\"", member + "\"messageId\"");
    return started().node().as(token).post(version.path(), version.send, params);
  }

  /** Begins a task of the agent. */
  private Ids begun(A2aWireVersion version, String token) throws IOException {
    JsonNode task =
        version.task(post(version, version.send, version.textMessage("plan", ""), token).result());
    return new Ids(task.path("id").asText(), task.path("contextId").asText());
  }

  private NodeReply post(A2aWireVersion version, String method, String params, String token)
      throws IOException {
    return started().node().as(token).post(version.path("planner"), method, params);
  }

  private StubAgent agent() {
    return started().agent();
  }

  private AgentBehindNode started() {
    return Objects.requireNonNull(started);
  }
}
