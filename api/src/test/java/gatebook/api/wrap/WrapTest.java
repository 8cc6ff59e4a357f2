package gatebook.api.wrap;

import static gatebook.api.wrap.Client.call;
import static gatebook.api.wrap.Client.code;
import static gatebook.api.wrap.Client.json;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.casefile.CheckedEvent;
import gatebook.api.cli.ApproveCommand;
import gatebook.api.cli.CommandRun;
import gatebook.api.cli.ConsoleCommand;
import gatebook.api.cli.DenialsCommand;
import gatebook.api.cli.ProveCommand;
import gatebook.api.cli.TailCommand;
import gatebook.api.cli.VerifyCommand;
import gatebook.api.cli.lookup.CallsCommand;
import gatebook.api.data.DataDirectory;
import gatebook.api.data.OperatorToken;
import gatebook.api.data.OwnerAddress;
import gatebook.api.node.StoredTexts;
import gatebook.api.node.casefile.CaseCheckers;
import gatebook.api.node.sharing.OwnerClient;
import gatebook.api.operator.client.FollowResult;
import gatebook.api.operator.client.OperatorClient;
import gatebook.api.upstream.process.StdioTestServer.Mode;
import gatebook.events.CallAbandoned;
import gatebook.events.CallAnswered;
import gatebook.events.CallReceived;
import gatebook.events.call.Transport;
import gatebook.events.journal.checkpoint.LoadedKey;
import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.vocabulary.EventVocabulary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Order(1)
class WrapTest {

  private static final String INITIALIZE =
      """
      {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"sampling":{}},"clientInfo":{"name":"c","version":"1"}}}\
      """;
  private static final String INITIALIZED =
      """
      {"jsonrpc":"2.0","method":"notifications/initialized"}\
      """;

  private static final String RULES =
      """
      schema: 1
      sources:
        - id: files
          kind: mcp
          command: [whatever]
          expose: {mode: blocklist, tools: ["secret_*"]}
          timeout: 2m
      governance:
        defaults: {action: forward}
        rules: [{match: die, action: deny}]
      """;

  @TempDir private Path directory;

  @Test
  void wrappingIsTransparentToClientAndServer() {
    try (Client client = Client.of(directory, Mode.SESSIONS)) {
      assertThat(client.ask(INITIALIZE))
          .isEqualTo(
              """
              {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25",\
              "capabilities":{"tools":{}},"serverInfo":{"name":"played","version":"1"}}}\
              """);
      client.send(INITIALIZED);
      assertThat(
              client.ask(
                  """
                  {"jsonrpc":"2.0","id":"a","method":"tools/list"}\
                  """))
          .isEqualTo(
              """
              {"jsonrpc":"2.0","id":"a","result":{"tools":[{"name":"echo"},{"name":"secret_echo"},{"name":"die"}]}}\
              """);
      assertThat(
              client.ask(
                  call(
                      2,
                      "echo",
                      """
                      ,"arguments":{"x": 1.50}\
                      """)))
          .isEqualTo(
              """
              {"jsonrpc":"2.0","id":2,"result":{"said":{"name":"echo","arguments":{"x": \
              1.50}}}}\
              """);
      assertThat(client.call(3, "notices"))
          .isEqualTo(
              """
              {"jsonrpc":"2.0","id":3,"result":{"notices":[\
              """
                  + INITIALIZED
                  + "]}}");
      assertThat(
              client.ask(
                  """
                  {"jsonrpc":"2.0","id":4,"method":"no/such"}\
                  """))
          .startsWith(
              """
              {"jsonrpc":"2.0","id":4,"error":{"code":-32601,"message":"no such \
              method"\
              """);

      assertThat(client.disconnect()).isZero();
      assertThat(RecordedEvents.in(client.data()))
          .filteredOn(CallReceived.class::isInstance)
          .map(CallReceived.class::cast)
          .allSatisfy(it -> assertThat(it.transport()).isEqualTo(Transport.LINES))
          .extracting(CallReceived::method)
          .containsExactly(
              "initialize",
              "notifications/initialized",
              "tools/list",
              "tools/call",
              "tools/call",
              "no/such");
    }
  }

  @Test
  void deniedCallsDoNotReachTheServer() {
    try (Client client = Client.of(directory, Mode.SESSIONS, RULES)) {
      assertThat(
              client.ask(
                  """
                  {"jsonrpc":"2.0","id":1,"method":"tools/list"}\
                  """))
          .isEqualTo(
              """
              {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"echo"},{"name":"die"}]}}\
              """);
      assertThat(code(client.call(2, "secret_echo"))).isEqualTo(-32015);
      assertThat(code(client.call(3, "die"))).isEqualTo(-32014);
      assertThat(json(client.call(4, "echo")).has("result")).isTrue();

      client.disconnect();
      assertThat(RecordedEvents.names(client.data()))
          .containsSubsequence(
              "CallReceived",
              "GateDenied",
              "CallReceived",
              "GateDenied",
              "CallForwarded",
              "CallAnswered");
    }
  }

  @Test
  void callForApprovalIsHeldUntilTheDecision() {
    try (Client client =
        Client.of(
            directory,
            Mode.SESSIONS,
            RULES.replace("action: deny", "action: approve, approval: ops")
                + "approval: {ops: {timeout: 5s}}\n")) {
      assertThat(code(client.call(1, "die"))).isEqualTo(-32008);
      assertThat(json(client.call(2, "echo")).has("result")).isTrue();
    }
  }

  @Test
  void serverRequestIsAnsweredByTheClient() {
    try (Client client = Client.of(directory, Mode.SESSIONS)) {
      client.ask(INITIALIZE);
      client.send(INITIALIZED);
      String question = client.ask(call(1, "ask", ""));
      assertThat(question)
          .isEqualTo(
              """
              {"jsonrpc":"2.0","id":"srv-1","method":"sampling/createMessage","params":{"x":1}}\
              """);

      String reply =
          """
          {"jsonrpc":"2.0","id":"srv-1","result":{"y":2}}\
          """;

      assertThat(client.ask(reply))
          .isEqualTo(
              """
              {"jsonrpc":"2.0","id":1,"result":{"reply":\
              """
                  + reply
                  + "}}");
      client.send(reply); // no request is open any longer
      assertThat(client.call(2, "notices")).contains("\"notices\":[" + INITIALIZED + "]");
      client.disconnect();
      assertThat(RecordedEvents.names(client.data()))
          .containsSubsequence("SourceAsked", "CallerReplied", "MessageRefused");
    }
  }

  @Test
  void idThatTheServerChoseIsRecordedMaskedAndShort() {
    try (Client client = Client.of(directory, Mode.SESSIONS)) {
      client.ask(INITIALIZE);
      client.send(INITIALIZED);
      String id = json(client.ask(call(1, "ask_by_secret", ""))).path("id").asText();
      assertThat(id).startsWith("AKIAIOSFODNN7EXAMPLE").hasSizeGreaterThan(100_000);

      assertThat(
              client.ask(
                  """
                  {"jsonrpc":"2.0","id":"%s","result":{"y":2}}\
                  """
                      .formatted(id)))
          .contains("\"id\":1,\"result\"");
      client.disconnect();

      EventVocabulary eventVocabulary = new EventVocabulary();
      assertThat(RecordedEvents.names(client.data())).contains("SourceAsked", "CallerReplied");
      assertThat(RecordedEvents.in(client.data()))
          .map(event -> new String(eventVocabulary.write(event), UTF_8))
          .noneMatch(json -> json.contains("AKIAIOSFODNN7EXAMPLE"))
          .filteredOn(json -> json.contains("\"questionId\""))
          .allMatch(json -> json.length() < 16_384);
    }
  }

  @Test
  void contentIsInNoFileInPlain() throws IOException {
    String argument = "purple heron in an argument";
    String reply = "purple heron in a reply";
    try (Client client = Client.of(directory, Mode.SESSIONS)) {
      client.ask(INITIALIZE);
      client.send(INITIALIZED);
      String id =
          json(client.ask(
                  call(1, "ask_by_secret", ",\"arguments\":{\"note\":\"%s\"}".formatted(argument))))
              .path("id")
              .asText();
      client.ask(
          """
          {"jsonrpc":"2.0","id":"%s","result":{"y":"%s"}}\
          """
              .formatted(id, reply));
      client.disconnect();

      assertThat(RecordedEvents.in(client.data()).toString()).contains(argument);
      assertThat(StoredTexts.found(client.data(), List.of("ask_by_secret"))).isNotEmpty();
      assertThat(StoredTexts.found(client.data(), List.of(argument, reply))).isEmpty();
    }
  }

  @Test
  void serverRequestBeforeInitializeGetsAnError() {
    try (Client client = Client.of(directory, Mode.SESSIONS)) {
      assertThat(client.call(1, "ask"))
          .contains(
              """
              "code":-32603,"message":"the client could not be asked"\
              """);
    }
  }

  @Test
  void progressAndNotificationsReachTheClientWithItsToken() {
    try (Client client = Client.of(directory, Mode.SESSIONS)) {
      client.send(
          call(
              1,
              "progress",
              """
              ,"_meta":{"progressToken":"mine"}\
              """));

      assertThat(client.receive())
          .isEqualTo(
              """
              {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"mine","progress":1}}\
              """);
      assertThat(client.receive()).contains("\"progress\":2");
      assertThat(client.receive())
          .isEqualTo(
              """
              {"jsonrpc":"2.0","id":1,"result":{}}\
              """);
      assertThat(client.ask(call(2, "notify", "")))
          .isEqualTo(
              """
              {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\
              """);
      assertThat(client.receive())
          .isEqualTo(
              """
              {"jsonrpc":"2.0","id":2,"result":{}}\
              """);
    }
  }

  @Test
  void governedMethodsCannotBypassTheGates() {
    try (Client client = Client.of(directory, Mode.SESSIONS, RULES)) {
      String die = call(9, "die", "");
      String named =
          """
          {"jsonrpc":"2.0","id":9,"method":%s,"params":{%s}}\
          """;

      assertThat(
              code(
                  client.ask(
                      """
                      {"jsonrpc":"2.0","id":1,"method":"ping"}\r\
                      """
                          + die)))
          .isEqualTo(-32700);
      assertThat(code(client.ask("[" + die + "]"))).isEqualTo(-32600);
      assertThat(code(client.ask("[]"))).isEqualTo(-32600);
      assertThat(
              code(
                  client.ask(
                      named.formatted(
                          "\"tools/call\"",
                          """
                          "name":"echo","name":"die"\
                          """))))
          .isEqualTo(-32600);
      assertThat(
              code(
                  client.ask(
                      named.formatted(
                          "\"tools/call\"",
                          """
                          "name":"echo","Name":"die"\
                          """))))
          .isEqualTo(-32602);
      assertThat(code(client.ask(named.formatted("\"Tools/Call\"", "\"name\":\"die\""))))
          .isEqualTo(-32601);
      assertThat(code(client.ask(named.formatted("\"tools/call \"", "\"name\":\"die\""))))
          .isEqualTo(-32601);
      assertThat(code(client.ask(named.formatted("\"tools/call\"", "\"uri\":\"die\""))))
          .isEqualTo(-32602);
      assertThat(code(client.ask("\uFEFF" + die))).isEqualTo(-32700);
      assertThat(
              json(client.ask(
                      die.replace(
                          "{\"jsonrpc\"",
                          """
                          {"Method":"ping","jsonrpc"\
                          """)))
                  .has("error"))
          .isTrue();
      client.send(die.replace("\"id\":9,", "")); // as a notification
      client.send(die.replace("tools/call", "TOOLS/CALL").replace("\"id\":9,", ""));
      client.send("  ");

      assertThat(client.call(10, "notices"))
          .as("the server lives, and received nothing")
          .isEqualTo(
              """
              {"jsonrpc":"2.0","id":10,"result":{"notices":[]}}\
              """);
    }
  }

  @Test
  void lineOverTheBodyLimitIsRefused() {
    try (Client client =
        Client.of(directory, Mode.SESSIONS, RULES + "limits: {body_bytes_max: 1024}\n")) {
      JsonNode refused =
          json(client.ask(call(1, "echo", ",\"x\":\"%s\"".formatted("x".repeat(1_024)))));

      assertThat(refused.path("error").path("code").asInt()).isEqualTo(-32600);
      assertThat(refused.path("error").path("data").path("reason").asText()).isEqualTo("oversize");
      assertThat(json(client.call(2, "echo")).has("result")).isTrue();
    }
  }

  @Test
  void openRequestsAreAnsweredAfterTheClientLeft() {
    Client client = Client.of(directory, Mode.SESSIONS);
    client.send(call(1, "echo", ""));

    assertThat(client.disconnect()).isZero();

    assertThat(client.receive()).contains("\"id\":1,\"result\"");
    assertThat(RecordedEvents.names(client.data())).contains("CallAnswered");
  }

  @Test
  void serversEndFailsOpenRequestsAndSetsTheExitCode() {
    Client client = Client.of(directory, Mode.SESSIONS);
    client.send(call(1, "hang", ""));
    await().until(() -> client.call(9, "hanging").contains("\"hanging\":1"));

    assertThat(code(client.call(2, "die"))).isEqualTo(-32002);
    assertThat(code(client.receive())).isEqualTo(-32002);

    assertThat(client.exitCode()).isEqualTo(3);
    assertThat(RecordedEvents.names(client.data()))
        .filteredOn("ErrorTranslated"::equals)
        .hasSize(2);
  }

  @Test
  void cancelledRequestIsCancelledAtTheServer() {
    try (Client client = Client.of(directory, Mode.SESSIONS)) {
      client.send(call(7, "hang", ""));
      await().until(() -> client.call(8, "hanging").contains("\"hanging\":1"));

      client.send(
          """
          {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7,"reason":"x"}}\
          """);

      await().until(() -> client.call(9, "notices").contains("notifications/cancelled"));
      client.disconnect();
      assertThat(RecordedEvents.in(client.data()))
          .hasAtLeastOneElementOfType(CallAnswered.class)
          .filteredOn(CallAbandoned.class::isInstance)
          .map(CallAbandoned.class::cast)
          .extracting(CallAbandoned::cause)
          .containsExactly(CallAbandoned.Cause.CANCELLED);
    }
  }

  @Test
  void wrongParamsDoNotReachTheServer() {
    try (Client client = Client.of(directory, Mode.SESSIONS)) {
      client.ask(INITIALIZE);
      client.send(INITIALIZED.replace("}", ",\"params\":{\"_meta\":5}}"));
      assertThat(
              client.ask(
                  """
                  {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":5}}\
                  """))
          .contains("-32602", "\"details\":\"cursor: expected a string\"");
      client.send(INITIALIZED);
      assertThat(client.call(2, "notices")).contains("\"notices\":[" + INITIALIZED + "]");
    }
  }

  @Test
  void operatorsReachTheOwnerWithoutAnAdminPort() throws Exception {
    try (Client client = Client.of(directory, Mode.SESSIONS, RULES)) {
      assertThat(code(client.call(1, "die"))).isEqualTo(-32014);

      assertThat(ask(client, new DenialsCommand(), "--by", "tool").out())
          .contains("die")
          .endsWith("total 1\n");
      assertThat(ask(client, new CallsCommand(), "--status", "denied").out()).contains("die");
      assertProved(client, client.call(2, "die"));
      assertThat(ask(client, new VerifyCommand()).code()).isZero();
      assertThat(ask(client, new DenialsCommand(), "--token", "wrong"))
          .isEqualTo(new CommandRun(1, "", "this token belongs to no operator: use another\n"));
      assertThat(followed(client.data(), "?name=GateDenied&after=0"))
          .anyMatch(line -> line.startsWith("data: ") && line.contains("\"die\""));
      assertThat(ask(client, new ConsoleCommand()))
          .isEqualTo(
              new CommandRun(
                  1,
                  "",
                  "the process that uses %s serves no console: name a server with --url\n"
                      .formatted(client.data())));
      assertThat(ask(client, new TailCommand(), "--name", "NoSuch"))
          .isEqualTo(
              new CommandRun(1, "", "name must be the name of an event, as in GateDenied\n"));
    }
  }

  private static CommandRun ask(Client client, Object command, String... arguments) {
    return CommandRun.of(command, List.of("--data", client.data().toString()), arguments);
  }

  /** The case file of a refusal is accepted. */
  private void assertProved(Client client, String refusal) throws IOException {
    String id = refusal.replaceFirst("(?s).*\"correlation_id\":\"([^\"]*)\".*", "$1");
    Path file = directory.resolve("case.zip");
    String key =
        ask(client, new VerifyCommand(), "--json")
            .out()
            .replaceFirst("(?s).*\"verifierKey\" : \"([^\"]*)\".*", "$1");

    assertThat(ask(client, new ProveCommand(), id, "-o", file.toString()).code()).isZero();
    VerifierKey trusted = ((LoadedKey.Key<VerifierKey>) VerifierKey.parse(key)).key();
    assertThat(
            CaseCheckers.in(Files.createDirectory(directory.resolve("checker")))
                .accepted(Files.readAllBytes(file), trusted)
                .events())
        .extracting(CheckedEvent::name)
        .contains("GateDenied");
  }

  /** Follows the journal up to the first event. */
  private static List<String> followed(Path data, String query) throws Exception {
    List<String> lines = new ArrayList<>();
    OperatorClient owner = new OwnerClient(ownerAddress(data), OperatorToken.read(data).text());
    assertThat(
            owner.follow(
                query,
                OptionalLong.empty(),
                line -> {
                  lines.add(line);
                  return !line.startsWith("data: ");
                }))
        .isEqualTo(new FollowResult.Finished());
    return lines;
  }

  private static OwnerAddress ownerAddress(Path data) {
    return switch (DataDirectory.open(data)) {
      case DataDirectory.Opening.Held held -> held.ownerAddress().orElseThrow();
      case DataDirectory.Opening.Opened _, DataDirectory.Opening.Refused _ ->
          throw new AssertionError("it has an owner");
    };
  }

  @Test
  void operatorDecidesThroughTheOwnerOnAMembersCall() {
    String rules =
        RULES.replace("action: deny", "action: approve, approval: ops")
            + "approval: {ops: {timeout: 10m}}\n";
    try (Client owner = Client.of(directory, Mode.SESSIONS, rules);
        Client member = Client.of(directory, Mode.SESSIONS, rules)) {
      member.send(call(1, "die", ""));

      await()
          .until(
              () -> ask(owner, new CallsCommand(), "--status", "held").out().lines().count() > 1);
      String held = callId(ask(owner, new CallsCommand(), "--status", "held", "--json").out());
      assertThat(ask(owner, new ApproveCommand(), held).code()).isZero();

      assertThat(code(member.receive())).as("the server died of it").isEqualTo(-32002);
    }
  }

  @Test
  void clientThatRequestsATaskFetchesItsResult() {
    String rules =
        RULES.replace("{match: die, action: deny}", "{match: echo, action: approve, approval: ops}")
            + "approval: {ops: {timeout: 10m}}\n";
    try (Client client = Client.of(directory, Mode.SESSIONS, rules)) {
      String response = client.ask(call(1, "echo", ",\"task\":{}"));
      String task = json(response).at("/result/task/taskId").asText();
      assertThat(state(client, task)).isEqualTo("working");

      String held = callId(ask(client, new CallsCommand(), "--status", "held", "--json").out());
      assertThat(ask(client, new ApproveCommand(), held).code()).isZero();

      assertThat(client.ask(about("tasks/result", task)))
          .isEqualTo(
              """
              {"jsonrpc":"2.0","id":7,"result":{"said":{"name":"echo"},"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"%s"}}}}\
              """
                  .formatted(task));
      assertThat(state(client, task)).isEqualTo("completed");
    }
  }

  private static String state(Client client, String task) {
    return json(client.ask(about("tasks/get", task))).at("/result/status").asText();
  }

  private static String about(String method, String task) {
    return """
    {"jsonrpc":"2.0","id":7,"method":"%s","params":{"taskId":"%s"}}\
    """
        .formatted(method, task);
  }

  private static String callId(String calls) {
    return json(calls).at("/calls/0/callId").asText();
  }

  @Test
  void secondProcessRecordsThroughTheFirstAndTakesOver() {
    Client first = Client.of(directory, Mode.SESSIONS, RULES);
    try (Client second = Client.of(directory, Mode.SESSIONS)) {
      assertThat(code(first.call(1, "die"))).isEqualTo(-32014);
      assertThat(json(second.call(2, "echo")).has("result")).as("by its own rules").isTrue();
      assertThat(ask(first, new CallsCommand()).out()).contains("die").contains("echo");

      assertThat(first.disconnect()).isZero();

      await().until(() -> json(second.call(3, "echo")).has("result"));
      assertThat(ask(second, new DenialsCommand()).out()).endsWith("total 1\n");
      second.disconnect();
      assertThat(RecordedEvents.names(second.data()))
          .containsSubsequence("GateDenied", "CallForwarded", "CallAnswered", "CallAnswered");
    }
  }
}
