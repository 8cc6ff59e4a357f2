package gatebook.api.operator;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.http.Port;
import gatebook.api.operator.rpc.OperatorTestNode;
import gatebook.api.operator.rpc.OperatorTestNodes;
import gatebook.api.operator.rpc.ParamTypes;
import gatebook.api.operator.rpc.RulesInForce;
import gatebook.command.rules.file.RulesFile.Reading;
import gatebook.events.CallReceived;
import gatebook.events.OperatorActed;
import gatebook.events.ReceivedCall;
import gatebook.events.call.JsonValue;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class OperatorControllerTest {
  private static final UUID CALL = UUID.fromString("0192aaaa-0000-7000-8000-00000000abcd");
  private static final JsonMapper JSON = new JsonMapper();

  @RegisterExtension
  static final OperatorTestNodes NODES = new OperatorTestNodes(OperatorTestNode::new);

  private OperatorTestNode node = NODES.shared();

  static List<List<String>> requestsWithoutToken() {
    return List.of(
        List.of(),
        List.of("Authorization", "Bearer wrong"),
        List.of("Authorization", "Bearer"),
        List.of("Authorization", "Basic TOKEN"),
        List.of("Authorization", "TOKEN"),
        List.of("Authorization", "Bearer TOKENx"),
        List.of("Authorization", "Bearer TOKEN", "Authorization", "Bearer TOKEN"));
  }

  @ParameterizedTest
  @MethodSource("requestsWithoutToken")
  void aRequestWithoutTheTokenIsUnauthorized(List<String> headers) throws Exception {
    String[] sent =
        headers.stream().map(it -> it.replace("TOKEN", node.token())).toArray(String[]::new);

    for (String body : List.of("", "{", call("rpc.discover", "{}"), call("no.such", "{}"))) {
      HttpResponse<String> response = node.post(body, sent);

      assertThat(response.statusCode()).isEqualTo(401);
      assertThat(response.body())
          .isEqualTo(
              """
              {"error":"unauthorized","correlation_id":"%s"}\
              """
                  .formatted(response.headers().firstValue("X-Correlation-Id").orElseThrow()));
    }
    assertThat(node.events()).isEmpty();
  }

  @Test
  void theCallersPortDoesNotServeOperators() throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(node.url(Port.CALLERS) + "/operator"))
            .header("Authorization", "Bearer " + node.token())
            .POST(HttpRequest.BodyPublishers.ofString(call("rpc.discover", "{}")))
            .build();

    assertThat(
            OperatorTestNode.HTTP.send(request, HttpResponse.BodyHandlers.ofString()).statusCode())
        .isEqualTo(404);
  }

  @Test
  void aLookupIsRecordedBeforeItsResponse() throws Exception {
    node = NODES.own();
    node.append(received());

    String answer = node.call(call("audit.lookup", "{\"id\":\"order-7\"}"));

    JsonNode found = JSON.readTree(answer).path("result").path("calls").path(0);
    ((com.fasterxml.jackson.databind.node.ObjectNode) found.path("events").path(0))
        .remove(List.of("data", "node"));
    assertThat(found.toString())
        .isEqualTo(
            """
            {"callId":"0192aaaa-0000-7000-8000-00000000abcd","correlationId":"order-7",\
            "dialect":"mcp","method":"tools/call","target":"delete_file","principal":"alice",\
            "status":"held","gate":null,"code":null,"fault":null,\
            "receivedAt":"2026-01-02T03:04:05.000000006Z","durationMillis":null,\
            "events":[{"position":1,"name":"CallReceived","version":"2",\
            "at":"2026-01-02T03:04:05.000000006Z",\
            "spent":[]}]}\
            """);
    assertThat(node.events())
        .containsExactly(
            received(),
            new OperatorActed(
                "operator", "audit.lookup", JsonValue.parse("{\"id\":\"order-7\"}"), CALL, true));
  }

  @Test
  void aLookupThatFindsNothingSaysWhy() throws Exception {
    node = NODES.own();
    assertThat(node.call(call("audit.lookup", "{\"id\":\"nobody\"}")))
        .isEqualTo(
            """
            {"jsonrpc":"2.0","id":1,"result":{"calls":[],"more":false,"notFound":\
            {"reason":"never-seen","message":"nothing up to position 0 has this \
            id"}}}\
            """);
    assertThat(
            node.call(
                call(
                    "audit.lookup",
                    """
                    {"id":"nobody","atLeast":9}\
                    """)))
        .contains(
            """
            "reason":"not-projected-yet"\
            """,
            "position 1 of 9");
  }

  @Test
  void aVerificationOfTheRunningJournalIsClean() throws Exception {
    node = NODES.own();
    node.append(received());

    JsonNode report = JSON.readTree(node.call(call("audit.verify", "{}"))).path("result");

    assertThat(report.path("clean").asBoolean()).isTrue();
    assertThat(report.path("totals").path("events").asLong()).isEqualTo(1);
    assertThat(report.path("verifierKey").asText()).isEqualTo(node.journal().verifier().text());
  }

  @Test
  void anInvalidExternalCheckpointIsAFinding() throws Exception {
    JsonNode report =
        JSON.readTree(node.call(call("audit.verify", "{\"against\":[\"no note\"]}")))
            .path("result");

    assertThat(report.path("clean").asBoolean()).isFalse();
    assertThat(report.path("findings").path(0).path("message").asText())
        .startsWith("the checkpoint kept in against[0] cannot be used: ");
  }

  @Test
  void theViewsReportTheirPositions() throws Exception {
    node = NODES.own();
    node.append(received());
    node.call(
        call(
            "audit.lookup",
            """
            {"id":"order-7","atLeast":1}\
            """));
    JsonNode view =
        JSON.readTree(node.call(call("audit.projections", "{}")))
            .path("result")
            .path("projections")
            .path(0);

    assertThat(view.path("name").asText()).isEqualTo("calls");
    assertThat(view.path("position").asLong() + view.path("lag").asLong()).isEqualTo(2);
    assertThat(view.path("state").asText()).isIn("up-to-date", "catching-up");
  }

  @Test
  void theDocumentDescribesExactlyWhatIsAccepted() throws Exception {
    JsonNode document = JSON.readTree(node.call(call("rpc.discover", "{}"))).path("result");

    assertThat(document.path("openrpc").asText()).isEqualTo("1.4.1");
    assertThat(document.path("info").path("version").asText()).isEqualTo("1.2.3");
    assertThat(
            Stream.of(
                "audit.lookup",
                "audit.calls",
                "audit.verify",
                "audit.denials",
                "audit.errors",
                "audit.deniedCalls",
                "audit.failedCalls",
                "audit.proof",
                "audit.consistency",
                "audit.case",
                "audit.trees",
                "audit.projections",
                "audit.replay",
                "audit.cancelReplay",
                "audit.parked",
                "audit.retryParked",
                "audit.discardParked",
                "audit.replayCall",
                "approvals.list",
                "approvals.approve",
                "approvals.reject",
                "content.forget",
                "content.find",
                "operator.rotateToken",
                "backup.start",
                "backup.status",
                "backup.keys",
                "keys.rotate",
                "node.status",
                "quotas.list",
                "operator.whoami",
                "operator.consoleLink",
                "rules.history",
                "rules.text",
                "rules.excerpt",
                "rpc.discover"))
        .containsExactlyElementsOf(
            StreamSupport.stream(document.path("methods").spliterator(), false)
                .map(method -> method.path("name").asText())
                .toList());
    for (JsonNode method : document.path("methods")) {
      for (JsonNode param : method.path("params")) {
        assertThat(code(method.path("name").asText(), wrong(param))).isEqualTo(-32602);
      }
      assertThat(code(method.path("name").asText(), "{\"no-such\":1}")).isEqualTo(-32602);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      textBlock =
          """
          {                                                            | -32700
          []                                                           | -32600
          {"jsonrpc":"2.0","id":1}                                     | -32600
          {"jsonrpc":"2.0","id":1,"method":"no.such"}                  | -32601
          {"jsonrpc":"2.0","id":1,"method":"audit.lookup"}             | -32602
          {"jsonrpc":"2.0","id":1,"method":"audit.lookup","params":[]} | -32602
          {"jsonrpc":"2.0","id":1,"method":"audit.lookup","params":{"id":""}} | -32602
          {"jsonrpc":"2.0","id":1,"method":"audit.lookup","params":{"id":7}} | -32602
          {"jsonrpc":"2.0","id":1,"method":"audit.lookup","params":{"id":"a","atLeast":-1}} | -32602
          {"jsonrpc":"2.0","id":1,"method":"audit.lookup","params":{"id":"a","atLeast":1.5}} | -32602
          {"jsonrpc":"2.0","id":1,"method":"audit.lookup","params":{"id":"a","b":1}} | -32602
          {"jsonrpc":"2.0","id":1,"method":"audit.verify","params":{"against":"a"}} | -32602
          {"jsonrpc":"2.0","id":1,"method":"audit.verify","params":{"against":[1]}} | -32602
          {"jsonrpc":"2.0","id":1,"method":"audit.projections","params":{"a":1}} | -32602
          """)
  void badInputIsAnErrorAndChangesNothing(String body, int code) throws Exception {
    JsonNode error = JSON.readTree(node.call(body)).path("error");

    assertThat(error.path("code").asInt()).isEqualTo(code);
    assertThat(error.at("/data/correlation_id").asText()).isEqualTo("c-1");
    assertThat(node.events()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "audit.lookup | {'id':'a','x':1} | x | one of id, asOf, atLeast | number",
        "audit.projections | {'x':null} | x | no params | nothing",
        "audit.lookup | {'atLeast':1} | id | a string of 1 to 1024 characters | nothing",
        "audit.lookup | {'id':null} | id | a string of 1 to 1024 characters | nothing",
        "audit.calls | {'limit':1e400} | limit | a whole number from 1 to 1000 | number",
        "audit.calls | {'limit':1001} | limit | a whole number from 1 to 1000 | number",
        "audit.calls | {'limit':9223372036854775808} | limit | a whole number from 1 to 1000"
            + " | number",
        "audit.verify | {'against':[[]]} | against | an array of at most 64 signed notes | array",
        "audit.lookup | [1] | params | an object | array",
        "audit.proof | {} | callId | either callId or position | nothing",
        "rules.excerpt | {'callId':'00000000-0000-0000-0000-000000000000'} | callId"
            + " | the id of another call | string",
      })
  void anInvalidParamIsNamed(
      String method, String params, String param, String expected, String received)
      throws Exception {
    JsonNode error =
        JSON.readTree(node.call(call(method, params.replace('\'', '"')))).path("error");

    assertThat(error.path("code").asInt()).isEqualTo(-32602);
    ObjectNode data =
        JSON.createObjectNode()
            .put("correlation_id", "c-1")
            .put("details", "%s: expected %s".formatted(param, expected))
            .put("param", param)
            .put("expected", expected)
            .put("received", received);
    assertThat(error.path("data")).isEqualTo(data);
  }

  @Test
  void manyUnknownParamsAreOneShortName() throws Exception {
    String many =
        IntStream.range(0, 10_000)
            .mapToObj("\"no such param %d\":1"::formatted)
            .collect(joining(","));

    assertThat(param("{\"%s\":1,%s}".formatted("n".repeat(1_000), many))).isEqualTo("n".repeat(64));
    assertThat(param("{\"sk-proj-Ab3dE5gH7jK9mN1pQ3sT5vW7yZ9\":1}")).isEqualTo("[token]");
  }

  private String param(String params) throws Exception {
    return JSON.readTree(node.call(call("audit.projections", params)))
        .at("/error/data/param")
        .asText();
  }

  @Test
  void anIdHasALengthLimit() throws Exception {
    String longest = "i".repeat(ParamTypes.TEXT_CHARS_MAX);

    assertThat(code("audit.lookup", "{\"id\":\"" + longest + "\"}")).isEqualTo(0);
    assertThat(code("audit.lookup", "{\"id\":\"" + longest + "i\"}")).isEqualTo(-32602);
  }

  @Test
  void aMessageHasALengthLimit() throws Exception {
    String message = call("rpc.discover", "{}");
    String longest = message + " ".repeat(OperatorRpc.BODY_BYTES_MAX - message.length());

    assertThat(JSON.readTree(node.call(longest)).has("result")).isTrue();
    assertThat(JSON.readTree(node.call(longest + " ")).path("error").path("code").asInt())
        .isEqualTo(-32600);
  }

  @Test
  void aNotificationIsAcceptedAndDoesNothing() throws Exception {
    HttpResponse<String> response =
        node.post(
            """
            {"jsonrpc":"2.0","method":"audit.verify"}\
            """,
            "Authorization",
            "bearer " + node.token());

    assertThat(response.statusCode()).isEqualTo(202);
    assertThat(response.body()).isEmpty();
  }

  @Test
  void unrecordableLookupsAreRefusedButVerifyingWorks() throws Exception {
    node = NODES.own();
    node.append(received());
    node.call(call("audit.lookup", "{\"id\":\"order-7\"}"));

    node.journal().close();

    assertThat(node.call(call("audit.lookup", "{\"id\":\"order-7\"}")))
        .doesNotContain("delete_file")
        .contains(
            "\"error\"",
            """
            "data":{"correlation_id":"c-1"}\
            """);
    assertThat(node.call(call("audit.projections", "{}"))).contains("\"result\"");
  }

  @Test
  void anUnrecordableLookupIsNotAvailableNow() throws Exception {
    node = NODES.own();
    node.journal().close();

    JsonNode error =
        JSON.readTree(node.call(call("audit.lookup", "{\"id\":\"nobody\"}"))).path("error");

    assertThat(error.path("code").asInt()).isEqualTo(503);
    assertThat(error.path("message").asText())
        .startsWith(
            "calls are shown only when the request can be recorded, and the journal refuses it: ");
    assertThat(error.path("data"))
        .hasToString(
            """
            {"correlation_id":"c-1"}\
            """);
  }

  @Test
  void aFailureIsAnInternalError() throws Exception {
    node = NODES.own(data -> new OperatorTestNode(data, List::of, Optional.of(new FailingRules())));

    for (String failing : List.of(call("rules.show", "{}"), call("rules.check", "{}"))) {
      assertThat(node.call(failing))
          .isEqualTo(
              """
              {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"internal error: see the \
              log of this node","data":{"correlation_id":"c-1"}}}\
              """);
    }
    assertThat(node.events()).isEmpty();
  }

  static final class FailingRules implements RulesInForce {
    @Override
    public Optional<CurrentRules> current() {
      throw new IllegalStateException("the rules are lost");
    }

    @Override
    public CheckResult check() {
      throw new StackOverflowError();
    }

    @Override
    public CheckResult check(String candidate) {
      throw new IllegalStateException("the rules are lost");
    }

    @Override
    public Reading read(Candidate candidate) {
      throw new IllegalStateException("the rules are lost");
    }

    @Override
    public Optional<List<String>> hiddenFields(String workflow) {
      return Optional.empty();
    }
  }

  private int code(String method, String params) throws Exception {
    return JSON.readTree(node.call(call(method, params))).path("error").path("code").asInt();
  }

  /** Params of which only this one is wrong. */
  private static String wrong(JsonNode param) {
    String name = param.path("name").asText();
    return name.equals("id") ? "{\"id\":true}" : "{\"id\":\"a\",\"%s\":true}".formatted(name);
  }

  private static String call(String method, String params) {
    return """
    {"jsonrpc":"2.0","id":1,"method":"%s","params":%s}\
    """
        .formatted(method, params);
  }

  private static CallReceived received() {
    return ReceivedCall.of(CALL, OperatorTestNode.AT).to("files", "delete_file").event();
  }
}
