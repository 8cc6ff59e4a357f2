package gatebook.api.node.casefile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.node.NodeCaller;
import gatebook.api.node.NodeReply;
import gatebook.api.node.WatchedNode;
import gatebook.api.node.a2a.A2aWireVersion;
import gatebook.events.CallEvent;
import gatebook.events.TreeTaskCreated;
import java.io.IOException;
import java.util.Base64;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** A kind of call of which case files are made, and the event that it ends with. */
enum CaseKind {
  NOT_EXPOSED("ErrorTranslated", node -> tool(node, "hidden_tool")),
  DENIED("ErrorTranslated", node -> tool(node, "delete_all")),
  FORWARDED("CallAnswered", node -> tool(node, "echo")),
  APPROVED("CallAnswered", node -> decided(node, true)),
  REJECTED("ErrorTranslated", node -> decided(node, false)),
  NOTIFICATION(
      "CallAnswered",
      node ->
          callId(
              node.joe()
                  .send(
                      "/mcp",
                      "notified",
                      WatchedNode.toolCall("echo", CaseKind.ARGUMENTS).replace("\"id\":1,", "")))),
  ABANDONED("CallAbandoned", CaseKind::cancelled),
  DAEMON(
      "ErrorTranslated",
      node -> callId(node.joe().rpc("gone.away", "{\"said\":\"%s\"}".formatted(CaseKind.SAID)))),
  REFUSED("MessageRefused", node -> callId(node.joe().send("/mcp", "refused", "no JSON"))),
  AGENT(
      "CallAnswered",
      node ->
          callId(
              node.joe()
                  .post(
                      A2aWireVersion.V1.path(),
                      A2aWireVersion.V1.send,
                      A2aWireVersion.V1.skillMessage("echo", CaseKind.ARGUMENTS, true)))),
  STREAMED(
      "CallAnswered",
      node ->
          callId(
              node.joe()
                  .post(
                      A2aWireVersion.V1.path(),
                      A2aWireVersion.V1.stream,
                      A2aWireVersion.V1.skillMessage("echo", CaseKind.ARGUMENTS, true)))),
  TREE("TreeExecutionEnded", CaseKind::tree);

  static final String BOB = "operator-bob-0123456789";
  static final String CAROL = "operator-carol-0123456789";
  static final String SECRET = "hunter2-is-my-password";
  static final String SAID = "a-word-of-the-caller";
  static final String ARGUMENTS = "{\"said\":\"" + SAID + "\",\"password\":\"" + SECRET + "\"}";

  static final String RULES =
      """
      schema: 1
      sources:
        - {id: demo, kind: demo, expose: {mode: blocklist, tools: ["hidden_*"]}}
        - {id: gone, kind: jsonrpc, prefix: gone., url: "http://127.0.0.1:1/"}
      governance:
        defaults: {action: forward}
        rules:
          - {match: "delete_*", action: deny}
          - {match: "deploy", action: approve, approval: ops}
      approval: {ops: {timeout: 10m}}
      principals: [{name: joe, token_hash: "%s"}]
      operators:
        - {name: alice, token_hash: "%s", roles: [view, arguments, approve, admin]}
        - {name: bob, token_hash: "%s", roles: [view]}
        - {name: carol, token_hash: "%s", roles: [view, arguments]}
      """
          .formatted(
              WatchedNode.hash(NodeCaller.JOE),
              WatchedNode.hash(NodeCaller.ALICE),
              WatchedNode.hash(BOB),
              WatchedNode.hash(CAROL));

  /** Makes a call, and returns the id of which a case file is made. */
  @FunctionalInterface
  interface Provocation {
    String provoke(WatchedNode node) throws IOException;
  }

  final String last;

  @SuppressWarnings("ImmutableEnumChecker") // the functions keep no state
  final Provocation provocation;

  CaseKind(String last, Provocation provocation) {
    this.last = last;
    this.provocation = provocation;
  }

  /** The case file of an id, as the operator with this token gets it. */
  static byte[] caseFile(WatchedNode node, String token, String id) throws IOException {
    JsonNode answer = node.operator(token, "audit.case", "{\"id\":\"" + id + "\"}");
    assertThat(answer.path("error").toString()).isEmpty();
    return Base64.getDecoder().decode(answer.at("/result/file").asText());
  }

  static String callId(NodeReply reply) {
    return ((CallEvent) reply.events().getFirst()).callId().toString();
  }

  static String tool(WatchedNode node, String tool) throws IOException {
    return callId(
        node.joe()
            .mcp("tools/call", "{\"name\":\"%s\",\"arguments\":%s}".formatted(tool, ARGUMENTS)));
  }

  private static String decided(WatchedNode node, boolean approved) throws IOException {
    String correlationId = "held-" + approved;
    CompletableFuture<?> held =
        node.hold(
            correlationId,
            WatchedNode.toolCall("deploy", ARGUMENTS),
            NodeCaller.bearer(NodeCaller.JOE));
    node.decide(correlationId, approved, "because");
    held.join();
    return correlationId;
  }

  private static String cancelled(WatchedNode node) throws IOException {
    A2aWireVersion version = A2aWireVersion.V03;
    NodeReply sent =
        node.joe()
            .post(version.path(), version.send, version.skillMessage("deploy", ARGUMENTS, false));
    var _ =
        node.joe()
            .post(version.path(), version.cancel, "{\"id\":%s}".formatted(sent.result().path("id")))
            .result();
    return callId(sent);
  }

  private static String tree(WatchedNode node) throws IOException {
    String root = UUID.randomUUID().toString();
    String task = "{\"id\":\"%s\",\"name\":\"t\"%s,\"schemas\":{\"method\":\"%s\"},\"inputs\":%s}";
    String tasks =
        task.formatted(root, "", "echo", ARGUMENTS)
            + ","
            + task.formatted(
                UUID.randomUUID(), ",\"parent_id\":\"" + root + "\"", "delete_all", ARGUMENTS);
    var _ =
        node.joe()
            .flow("tasks.execute", "{\"tasks\":[%s],\"wait\":true}".formatted(tasks))
            .response();
    await()
        .until(() ->
            node.events().stream()
                .anyMatch(it -> it.getClass().getSimpleName().equals("TreeExecutionEnded")));
    return node.events().stream()
        .filter(TreeTaskCreated.class::isInstance)
        .map(event -> ((TreeTaskCreated) event).treeId().toString())
        .findFirst()
        .orElseThrow();
  }
}
