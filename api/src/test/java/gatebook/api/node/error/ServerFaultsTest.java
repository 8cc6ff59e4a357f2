package gatebook.api.node.error;

import static gatebook.api.node.WatchedNode.hash;
import static gatebook.api.node.WatchedNode.toolCall;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.api.http.RawHttp;
import gatebook.api.node.ProvokedCall;
import gatebook.api.node.WatchedNode;
import gatebook.command.call.TaskId;
import gatebook.events.fault.Fault;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.ConfigurationError;
import gatebook.events.fault.ServerFault.InternalError;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import gatebook.events.fault.Withheld.InspectionFailed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Faults of the server itself, and inspection failures, over HTTP. */
final class ServerFaultsTest {

  private static final String BOB = "Authorization: Bearer bob-0123456789";
  private static final String OPEN =
      """
      schema: 1
      sources: [{id: demo, kind: demo}]
      governance: {defaults: {action: forward}}
      """;

  @TempDir private Path folder;

  @Test
  void brokenRulesRefuseGovernedCallsAndReadiness() throws IOException {
    try (WatchedNode node = WatchedNode.startUnderAnyRules(folder, "schema: 1\nsorces: []\n")) {
      node.provoke("broken", toolCall("echo"))
          .expect(
              "1",
              new ConfigurationError("the rules file has mistakes"),
              Map.of("tool", "echo"),
              "CallReceived",
              "ErrorTranslated");
      assertThat(
              node.provoke(
                      "ping",
                      """
                      {"jsonrpc":"2.0","id":1,"method":"ping"}\
                      """)
                  .seen()
                  .answer()
                  .body())
          .isEqualTo(
              """
              {"jsonrpc":"2.0","id":1,"result":{}}\
              """);
      for (String path : List.of("/mcp", "/rpc")) {
        String list = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}";
        assertThat(node.post(path, "list", list.getBytes(UTF_8)).body())
            .contains("\"code\":-32016,", "an operator has to correct them");
      }
      assertThat(node.get("/ready").status()).isEqualTo(503);
      assertThat(node.get("/ready").body()).contains("\"rules\":\"broken\"");
      assertThat(node.get("/metrics").body().lines())
          .contains("gatebook_ready 0.0", "gatebook_journal_appending 1.0");
    }
  }

  @Test
  void aNearlyFullDiskStillTakesDenials() throws IOException {
    try (WatchedNode node =
        WatchedNode.start(
            folder, OPEN.replace("forward}", "forward}, rules: [{match: no*, action: deny}]"))) {
      Path full = Files.createFile(folder.resolve("data").resolve("full"));
      await().until(() -> node.get("/ready").body().contains("nothing is forwarded"));

      node.provoke("full", toolCall("echo"))
          .expect(
              "1",
              new ServiceUnavailable(Cause.DISK_RESERVE, null),
              Map.of("tool", "echo", "source", "demo"),
              "CallReceived",
              "CallAdmitted",
              "ErrorTranslated");
      assertThat(node.provoke("denied", toolCall("no")).seen().answer().body())
          .contains("\"code\":-32014");

      Files.delete(full);
      await()
          .until(() ->
              node.post("/mcp", "again", toolCall("echo").getBytes(UTF_8))
                  .body()
                  .contains("\"result\""));
    }
  }

  @Test
  void brokenRulesDoNotReportUnknownTokens() throws IOException {
    try (WatchedNode node = WatchedNode.startUnderAnyRules(folder, "schema: 1\nsorces: []\n")) {
      node.provoke("any-token", toolCall("echo"), BOB)
          .expect(new ConfigurationError("the rules file has mistakes"), "MessageRefused");
      assertThat(
              node.post(
                      "/rpc",
                      "any-method",
                      """
                      {"jsonrpc":"2.0","id":1,"method":"source/method"}\
                      """
                          .getBytes(UTF_8),
                      BOB)
                  .body())
          .contains("\"code\":-32016,");
      assertThat(
              node.post(
                      "/mcp",
                      "not-governed",
                      """
                      {"jsonrpc":"2.0","id":1,"method":"ping"}\
                      """
                          .getBytes(UTF_8),
                      BOB)
                  .status())
          .isEqualTo(401);
    }
  }

  /** Such a resend gets the outcome of the first call, so it is governed too. */
  @Test
  void brokenRulesRefuseAStatelessResend() throws IOException {
    try (WatchedNode node = WatchedNode.startUnderAnyRules(folder, "schema: 1\nsorces: []\n")) {
      String resend =
          """
          {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{},\
          "requestState":"%s","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",\
          "io.modelcontextprotocol/clientCapabilities":{}}}}\
          """
              .formatted(TaskId.generate(new UUID(7, 7)).text());
      String[] headers = {
        "MCP-Protocol-Version: 2026-07-28", "Mcp-Method: tools/call", "Mcp-Name: echo"
      };

      for (String authorization : List.of(BOB, "X-No-Token: yes")) {
        RawHttp.Answer answer =
            node.post(
                "/mcp",
                "resend",
                resend.getBytes(UTF_8),
                headers[0],
                headers[1],
                headers[2],
                authorization);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body())
            .isEqualTo(
                """
                {"jsonrpc":"2.0","id":1,"error":{"code":-32016,"message":"Configuration \
                error","data":{"correlation_id":"resend","details":"the rules cannot be used: \
                an operator has to correct them"}}}\
                """);
      }
    }
  }

  @Test
  void brokenReloadKeepsTheOldPrincipals() throws IOException {
    String rules =
        OPEN + "principals: [{name: bob, token_hash: \"%s\"}]\n".formatted(hash("bob-0123456789"));
    try (WatchedNode node = WatchedNode.start(folder, rules)) {
      Files.writeString(folder.resolve("gatebook.yaml"), "schema: 1\nsorces: []\n");
      await()
          .until(() ->
              node.lines().stream()
                  .anyMatch(line -> line.contains("the changed rules have mistakes")));

      assertThat(node.post("/mcp", "known", toolCall("echo").getBytes(UTF_8), BOB).body())
          .startsWith(
              """
              {"jsonrpc":"2.0","id":1,"result":\
              """);
      assertThat(node.post("/mcp", "unknown", toolCall("echo").getBytes(UTF_8), BOB + "x").status())
          .isEqualTo(401);
    }
  }

  @Test
  @DisplayName("EC-ERR-001")
  void unexpectedExceptionIsAnInternalErrorAndTheNodeSurvives() throws IOException {
    try (WatchedNode node = WatchedNode.start(folder, OPEN)) {
      ProvokedCall panic = node.provoke("panic", toolCall("echo"), "X-Test-Failing-Path: yes");

      panic.expect(
          null,
          new InternalError("serving a message", "IllegalStateException"),
          Map.of(),
          "MessageRefused");
      assertThat(panic.seen().lines())
          .anySatisfy(
              line -> assertThat(line).containsEntry("level", "error").containsKey("stack"));
      assertThat(node.provoke("after", toolCall("echo")).seen().answer().body())
          .startsWith(
              """
              {"jsonrpc":"2.0","id":1,"result":\
              """);
    }
  }

  @Test
  void unrecordableCallIsCountedAndNotForwarded() throws IOException {
    try (WatchedNode node = WatchedNode.start(folder, OPEN)) {
      node.journal().close();
      Map<String, Double> before = node.counted();
      WatchedNode.Seen seen = node.unrecorded("closed", toolCall("echo"));

      ProvokedCall provokedCall = new ProvokedCall("closed", seen, node.increments(before));
      Fault fault = new ServiceUnavailable(Cause.SHUTTING_DOWN, null);
      provokedCall.expectAnswer("1", fault);
      provokedCall.expectLine(
          "1", fault, Map.of("principal", "anonymous", "source", "demo", "tool", "echo"));
      provokedCall.expectCounts(fault);
    }
  }

  /** A parser that guards its table of names against collisions would fail. */
  @Test
  void namesWithCollidingHashesAreServed() throws IOException {
    String arguments =
        IntStream.range(0, 1_024)
            .mapToObj(bits ->
                IntStream.range(0, 10)
                    .mapToObj(bit -> (bits >> bit & 1) == 0 ? "ab" : "bA")
                    .collect(joining("", "\"", "\":1")))
            .collect(joining(",", "{", "}"));

    try (WatchedNode node = WatchedNode.start(folder, OPEN + "inspect: [secrets]\n")) {
      RawHttp.Answer answer =
          node.post(
              "/mcp",
              "colliding",
              """
              {"jsonrpc":"2.0","id":1,"method":"tools/call",\
              "params":{"name":"echo","arguments":%s}}\
              """
                  .formatted(arguments)
                  .getBytes(UTF_8));

      assertThat(answer.body()).contains("\"result\"");
    }
  }

  @Test
  void inspectorThatFindsASecretTellsOnlyItsName() throws IOException {
    try (WatchedNode node = WatchedNode.start(folder, OPEN + "inspect: [secrets]\n")) {
      ProvokedCall provokedCall =
          node.provoke(
              "inspected",
              toolCall(
                  "echo",
                  """
                  {"key":"AKIAIOSFODNN7EXAMPLE"}\
                  """));

      String reason = String.valueOf(provokedCall.seen().lines().getLast().get("reason"));
      provokedCall.expect(
          new InspectionFailed("secrets", reason),
          "CallReceived",
          "CallAdmitted",
          "ErrorTranslated");
      assertThat(provokedCall.seen().toString()).doesNotContain("AKIAIOSFODNN7EXAMPLE");
    }
  }
}
