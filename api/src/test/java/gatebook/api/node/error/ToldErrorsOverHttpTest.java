package gatebook.api.node.error;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.http.RawHttp;
import gatebook.api.node.NodeCaller;
import gatebook.api.node.WatchedNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A lookup shows the error response of a call exactly as it was on the wire. */
@Timeout(600)
final class ToldErrorsOverHttpTest {
  private static final String DENIED =
      """
      {"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"delete_é😀\\u0000","arguments":{}}}\
      """;

  @TempDir private Path folder;

  private final Map<String, String> answers = new LinkedHashMap<>();

  private WatchedNode start() throws IOException {
    return WatchedNode.start(
        folder,
        """
        schema: 1
        sources:
          - {id: demo, kind: demo}
          - {id: gone, kind: jsonrpc, prefix: gone., url: "http://127.0.0.1:1/rpc"}
        governance:
          defaults: {action: forward}
          rules:
            - {match: "delete_*", action: deny, public: true}
            - {match: "deploy", action: approve, approval: ops}
        approval: {ops: {timeout: 10m, on_timeout: deny}}
        principals:
          - {name: known, token_hash: "%s"}
        operators:
          - {name: alice, token_hash: "%s", roles: [view, arguments, approve, admin]}
        """
            .formatted(WatchedNode.hash("a-token"), WatchedNode.hash(NodeCaller.ALICE)));
  }

  @Test
  void lookupShowsEachErrorAsItWasOnTheWire() throws IOException {
    try (WatchedNode node = start()) {
      send(node, "/mcp", DENIED.formatted("7"));
      send(node, "/mcp", DENIED.formatted("-1234567890123456789012345678901234567890"));
      send(node, "/mcp", DENIED.formatted("\"\\u00e9\\/ \\\"x\\\" é\""));
      send(node, "/mcp", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"no/such\",\"params\":{}}");
      send(node, "/mcp", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":[]}");
      send(node, "/mcp", "no JSON at all");
      send(node, "/mcp", "{\"jsonrpc\":\"1.0\",\"id\":\"a\",\"method\":\"x\"}");
      send(node, "/mcp", "[]");
      send(node, "/rpc", DENIED.formatted("\"d\""));
      send(node, "/rpc", "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"gone.away\",\"params\":{}}");
      send(node, "/rpc", "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"nothing.here\"}");
      send(node, "/flow", "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tasks.get\",\"params\":{}}");
      send(
          node,
          "/flow",
          "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tasks.get\",\"params\":{\"task_id\":\"no\"}}");
      send(node, "/flow", "{\"jsonrpc\":\"2.0\",\"method\":\"tasks.get\",\"params\":{}}");
      for (String path : new String[] {"/a2a", "/a2a/v0.3", "/a2a/v1"}) {
        send(
            node,
            path,
            "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tasks/get\",\"params\":{\"id\":\"no\"}}");
        send(
            node,
            path,
            "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"GetTask\",\"params\":{\"id\":\"no\"}}");
        send(
            node, path, "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"message/send\",\"params\":{}}");
        send(node, path, "{");
      }
      unauthorized(node, "/mcp");
      unauthorized(node, "/flow");
      rejected(node);

      assertThat(answers).hasSizeGreaterThan(25);
      answers.forEach((id, answer) ->
          assertThat(answer).as(id).contains("\"error\":").contains("\"jsonrpc\":\"2.0\""));
      assertTold(node);
    }
    try (WatchedNode again = start()) { // the events come from the database now
      assertTold(again);
    }
  }

  private void send(WatchedNode node, String path, String body, String... headers)
      throws IOException {
    String id = "told-" + answers.size();
    answers.put(id, node.post(path, id, body.getBytes(UTF_8), headers).body());
  }

  private void unauthorized(WatchedNode node, String path) throws IOException {
    send(node, path, DENIED.formatted("\"u\""), "Authorization: Bearer nobody");
  }

  private void rejected(WatchedNode node) throws IOException {
    String id = "told-" + answers.size();
    CompletableFuture<RawHttp.Answer> held = node.hold(id, WatchedNode.toolCall("deploy"));
    node.decide(id, false, "not \"today\" é");
    answers.put(id, held.join().body());
  }

  private void assertTold(WatchedNode node) throws IOException {
    for (Map.Entry<String, String> answer : answers.entrySet()) {
      assertThat(call(node, answer.getKey()).path("told").asText())
          .as(answer.getKey())
          .isEqualTo(answer.getValue());
    }
  }

  private static JsonNode call(WatchedNode node, String id) throws IOException {
    JsonNode calls =
        node.operator(NodeCaller.ALICE, "audit.lookup", "{\"id\":\"%s\"}".formatted(id))
            .at("/result/calls");
    assertThat(calls).as(id).hasSize(1);
    return calls.get(0);
  }

  @Test
  void lookupShowsNoErrorThatIsNotCertain() throws IOException {
    try (WatchedNode node = start()) {
      String secret = "\"ghp_0123456789abcdefghijklmnopqrstuvwxyz\"";
      send(node, "/mcp", DENIED.formatted(secret));
      send(node, "/mcp", DENIED.formatted("\"" + "long".repeat(300) + "\""));
      send(node, "/mcp", DENIED.formatted("1").replace("\"id\":1,", ""));
      send(node, "/mcp", WatchedNode.toolCall("echo", "{\"text\":\"a\"}"));
      await().until(() -> node.events("told-2").size() > 2);

      for (String id : answers.keySet()) {
        assertThat(call(node, id).has("told")).as(id).isFalse();
      }
      assertThat(answers.get("told-0")).contains(secret);
      assertThat(answers.get("told-2")).isEmpty();
    }
  }

  @Test
  void errorIsNotShownBeforeItWasTold() throws IOException {
    try (WatchedNode node = start()) {
      rejected(node);
      JsonNode call = call(node, "told-0");
      String held =
          StreamSupport.stream(call.path("events").spliterator(), false)
              .filter(event -> event.path("name").asText().equals("ApprovalRequested"))
              .findFirst()
              .orElseThrow()
              .path("at")
              .asText();

      JsonNode then =
          node.operator(
              NodeCaller.ALICE,
              "audit.lookup",
              """
              {"id":"told-0","asOf":"%s"}\
              """
                  .formatted(held));

      assertThat(call.has("told")).isTrue();
      assertThat(then.at("/result/calls/0/status").asText()).isEqualTo("held");
      assertThat(then.at("/result/calls/0").has("told")).isFalse();
    }
  }
}
