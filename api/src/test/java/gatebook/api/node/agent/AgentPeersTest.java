package gatebook.api.node.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.http.Port;
import gatebook.api.node.WatchedNode;
import gatebook.api.node.agent.AgentPeers.PeerAgent;
import gatebook.events.CallAnswered;
import gatebook.events.CallReceived;
import gatebook.events.ErrorTranslated;
import gatebook.events.Event;
import gatebook.events.fault.UpstreamFault;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Peers of A2A: the official client of JavaScript, which speaks 1.0, and that of Java, which speaks
 * 0.3, do all that they can with agents of the official SDK, directly and through Gatebook, and
 * with the built-in agent.
 */
@Timeout(300)
final class AgentPeersTest {
  /** What the wishes of the clients are called as skills of the built-in agent. */
  private static final Map<String, String> SKILLS =
      Map.of("plan", "echo", "wait", "deploy", "fail", "dead_tool", "deny", "delete_all");

  @TempDir private Path folder;

  private WatchedNode start(String agentUrl) throws IOException {
    return WatchedNode.start(
        folder,
        """
        schema: 1
        sources:
          - {id: planner, kind: a2a, url: "%s"}
          - {id: dead, kind: mcp, prefix: dead_, url: "http://127.0.0.1:1/mcp"}
          - {id: demo, kind: demo}
        governance:
          defaults: {action: forward}
          rules:
            - {match: "delete_all", action: deny}
            - {match: "deploy", action: approve, approval: ops}
        approval: {ops: {timeout: 10m}}
        """
            .formatted(agentUrl));
  }

  @Test
  void clientOf10GetsTheSameThroughGatebook() throws Exception {
    try (PeerAgent agent = PeerAgent.start("1.0");
        WatchedNode node = start(agent.url())) {
      Map<String, String> direct = texts(AgentPeers.calls(Map.of(), agent.url()));

      Map<String, String> through = texts(AgentPeers.calls(Map.of(), url(node, "/planner/v1")));

      assertThat(direct.get("hang up")).isEqualTo("TypeError");
      direct.put("hang up", "InvalidAgentResponseError");
      assertThat(through).isEqualTo(direct).hasSize(25);
      assertThat(outcomes(node)).containsExactlyElementsOf(outcomesOf10());
    }
  }

  private static List<String> outcomesOf10() {
    return List.of(
        "SendMessage success",
        "GetTask success",
        "SendMessage tool-error",
        "SendMessage success",
        "SendMessage success",
        "GetTask success",
        "SendMessage success",
        "CancelTask success",
        "GetTask success",
        "ListTasks success",
        "GetTask TaskNotFound",
        "CancelTask TaskNotFound",
        "CancelTask TaskNotCancelable",
        "SendMessage UnsupportedOperation",
        "SendMessage TaskNotFound",
        "CreateTaskPushNotificationConfig PushNotificationNotSupported",
        "SubscribeToTask success",
        "CancelTask success",
        "SubscribeToTask UnsupportedOperation",
        "SubscribeToTask TaskNotFound",
        "SendStreamingMessage success",
        "SendStreamingMessage tool-error",
        "SendStreamingMessage success",
        "SendStreamingMessage success",
        "SendMessage InvalidAgentResponse without a code");
  }

  @Test
  void clientOf03GetsTheSameThroughGatebook() throws Exception {
    try (PeerAgent agent = PeerAgent.start("0.3");
        WatchedNode node = start(agent.url())) {
      Map<String, String> direct = texts(JavaAgentClient.calls(agent.url()));

      Map<String, String> through = texts(JavaAgentClient.calls(url(node, "/planner/v0.3")));

      assertThat(direct.get("hang up")).isEqualTo("EOFException");
      direct.put("hang up", "InvalidAgentResponseError");
      assertThat(through).isEqualTo(direct).hasSize(23);
      assertThat(outcomes(node))
          .containsExactly(
              "message/send success",
              "tasks/get success",
              "message/send tool-error",
              "message/send success",
              "message/send success",
              "tasks/get success",
              "message/send success",
              "tasks/cancel success",
              "tasks/get success",
              "tasks/get TaskNotFound",
              "tasks/cancel TaskNotFound",
              "tasks/cancel TaskNotCancelable",
              "message/send InvalidRequest",
              "message/send TaskNotFound",
              "tasks/pushNotificationConfig/set PushNotificationNotSupported",
              "tasks/resubscribe success",
              "tasks/cancel success",
              "tasks/resubscribe success",
              "tasks/resubscribe TaskNotFound",
              "message/stream success",
              "message/stream tool-error",
              "message/stream success",
              "message/stream success",
              "message/send InvalidAgentResponse without a code");
    }
  }

  @Test
  void clientThatCannotConnectIsTransportFailure() throws Exception {
    try (WatchedNode node = start("http://127.0.0.1:1/agent")) {
      Map<String, String> through = texts(AgentPeers.calls(Map.of(), url(node, "/planner/v1")));

      assertThat(through).containsEntry("send", "JsonRpcTransportError");
      assertThat(outcomes(node).getFirst())
          .isEqualTo("SendMessage UpstreamConnectionFailed without a code");
    }
  }

  @Test
  void builtInAgentServesTheClientOf10() throws Exception {
    try (WatchedNode node = start("http://127.0.0.1:1/agent")) {
      Map<String, JsonNode> steps =
          AgentPeers.calls(SKILLS, "--card", node.at(Port.CALLERS).url().toString());

      assertThat(Objects.requireNonNull(steps.get("card")).findValuesAsText("id"))
          .containsExactly("echo", "time", "process", "delete_all", "transfer", "deploy");
      Map<String, String> seen = outlines(steps);
      assertThat(seen.remove("card")).isNotEmpty();
      assertThat(seen.remove("list")).isNotEmpty();
      assertThat(Objects.requireNonNull(steps.get("list")))
          .extracting(JsonNode::asText)
          .containsExactlyInAnyOrderElementsOf(
              Stream.of(
                      "send", "send: failed task", "send: without waiting", "send: to be cancelled")
                  .map(steps::get)
                  .map(task -> Objects.requireNonNull(task).path("id").asText())
                  .toList());
      assertThat(seen)
          .isEqualTo(
              builtIn(
                  "RequestMalformedError",
                  "UnsupportedOperationError",
                  "TaskNotFoundError",
                  "RequestMalformedError"));
    }
  }

  @Test
  void builtInAgentServesTheClientOf03() throws Exception {
    try (WatchedNode node = start("http://127.0.0.1:1/agent")) {
      Map<String, JsonNode> steps =
          JavaAgentClient.callsByCard(
              node.at(Port.CALLERS).url().toString(),
              "/a2a/v0.3/.well-known/agent-card.json",
              SKILLS);

      assertThat(outlines(steps))
          .isEqualTo(
              builtIn(
                  "InvalidParamsError",
                  "UnsupportedOperationError",
                  "TaskNotFoundError",
                  "InvalidParamsError"));
    }
  }

  @Test
  void clientOf03OfJavaScriptReadsErrorsOfStreams() throws Exception {
    try (WatchedNode node = start("http://127.0.0.1:1/agent")) {
      assertThat(texts(AgentPeers.refusedStreams(url(node, "/v0.3"))))
          .isEqualTo(
              Map.of(
                  "stream",
                  "[\"task\",\"artifact-update\",\"status-update\"]",
                  "stream: denied",
                  "UnsupportedOperationJSONRPCError",
                  "stream: unknown skill",
                  "JSONRPCTransportError",
                  "subscribe: unknown task",
                  "TaskNotFoundJSONRPCError"));
    }
  }

  /** What the built-in agent answers; of streams, the SDKs read errors differently. */
  private static Map<String, String> builtIn(
      String invalid, String endedStream, String unknownStream, String invalidStream) {
    Map<String, String> expected = new LinkedHashMap<>();
    expected.put("send", "completed");
    expected.put("get", "completed");
    expected.put("send: failed task", "failed");
    expected.put("send: message", invalid);
    expected.put("send: without waiting", "submitted");
    expected.put("get: working task", "submitted");
    expected.put("send: to be cancelled", "submitted");
    expected.put("cancel", "canceled");
    expected.put("get: cancelled task", "canceled");
    expected.put("get: unknown task", "TaskNotFoundError");
    expected.put("cancel: unknown task", "TaskNotFoundError");
    expected.put("cancel: ended task", "TaskNotCancelableError");
    expected.put("send: to an ended task", "UnsupportedOperationError");
    expected.put("send: to an unknown task", "TaskNotFoundError");
    expected.put("push", "PushNotificationNotSupportedError");
    expected.put("subscribe", "submitted canceled");
    expected.put("subscribe: ended task", endedStream);
    expected.put("subscribe: unknown task", unknownStream);
    expected.put("stream", "working artifact completed");
    expected.put("stream: failed task", "working failed");
    expected.put("stream: message", invalidStream);
    expected.put("stream: denied", "UnsupportedOperationError");
    expected.put("hang up", invalid);
    return expected;
  }

  /** The results as they are, and the names of errors: Gatebook has its own messages. */
  private static Map<String, String> texts(Map<String, JsonNode> steps) {
    Map<String, String> texts = new LinkedHashMap<>();
    steps.forEach((step, came) ->
        texts.put(step, isError(came) ? came.path("name").asText() : came.toString()));
    return texts;
  }

  /** The states in the results, and the names of errors. */
  private static Map<String, String> outlines(Map<String, JsonNode> steps) {
    Map<String, String> outlines = new LinkedHashMap<>();
    steps.forEach((step, came) ->
        outlines.put(
            step,
            isError(came)
                ? came.path("name").asText()
                : came.isArray()
                    ? StreamSupport.stream(came.spliterator(), false)
                        .map(AgentPeersTest::state)
                        .collect(Collectors.joining(" "))
                    : state(came)));
    return outlines;
  }

  private static boolean isError(JsonNode came) {
    return came.has("name") && !came.has("id");
  }

  private static String state(JsonNode item) {
    JsonNode state = item.findPath("state");
    return state.isMissingNode()
        ? "artifact"
        : state.asText().replace("TASK_STATE_", "").toLowerCase(Locale.ROOT);
  }

  private static String url(WatchedNode node, String agent) {
    return node.at(Port.CALLERS).url() + "/a2a" + agent;
  }

  /** How each call ended, as the journal has it. */
  private static List<String> outcomes(WatchedNode node) {
    Map<UUID, String> outcomes = new LinkedHashMap<>();
    for (Event event : node.events()) {
      switch (event) {
        case CallReceived received -> outcomes.put(received.callId(), received.method());
        case CallAnswered answered ->
            outcomes.computeIfPresent(
                answered.callId(), (_, method) -> method + " " + answered.outcome().word());
        case ErrorTranslated translated ->
            outcomes.computeIfPresent(
                translated.callId(), (_, method) -> method + " " + fault(translated));
        default -> {
          // it does not end a call
        }
      }
    }
    return List.copyOf(outcomes.values());
  }

  /** A fault of a source has a code only when the source answered with an error. */
  private static String fault(ErrorTranslated translated) {
    String kind = translated.fault().kind();
    return switch (translated.fault()) {
      case UpstreamFault.UpstreamError error when error.code() != null -> kind + " " + error.code();
      case UpstreamFault _ -> kind + " without a code";
      default -> kind;
    };
  }
}
