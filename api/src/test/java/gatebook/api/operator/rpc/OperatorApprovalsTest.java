package gatebook.api.operator.rpc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.operator.TailStream;
import gatebook.command.call.approval.DecideApproval;
import gatebook.command.rules.KnownOperator;
import gatebook.command.rules.KnownOperator.Role;
import gatebook.command.rules.file.RulesFile.Reading;
import gatebook.events.ApprovalGranted;
import gatebook.events.ApprovalRejected;
import gatebook.events.ApprovalRequested;
import gatebook.events.ApprovalRequested.OnTimeout;
import gatebook.events.CallAbandoned;
import gatebook.events.CallReceived;
import gatebook.events.Event;
import gatebook.events.OperatorActed;
import gatebook.events.ReceivedCall;
import gatebook.events.RulesRejected.Mistake;
import gatebook.events.call.Bytes;
import gatebook.events.call.Digest;
import gatebook.events.call.JsonValue;
import gatebook.events.call.KeptContent;
import gatebook.events.journal.tree.Sha256;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
final class OperatorApprovalsTest {
  private static final UUID CALL = UUID.fromString("0192aaaa-0000-7000-8000-00000000abcd");
  private static final Instant ASKED_AT = Instant.parse("2026-01-02T03:04:05Z");
  private static final Instant DISTANT = Instant.parse("2126-01-02T03:04:05Z");
  private static final Digest DIGEST = new Digest("k1", Bytes.of(new byte[32]));
  private static final JsonMapper JSON = new JsonMapper();

  private static final String HIDDEN =
      """
      {"card":{"number":"[REDACTED]"},"sum":1.50}\
      """;

  private static final List<KnownOperator> OPERATORS =
      List.of(
          operator("vera", Role.VIEW),
          operator("arno", Role.VIEW, Role.ARGUMENTS),
          operator("ada", Role.APPROVE),
          operator("root", Role.ADMIN));

  @RegisterExtension
  static final OperatorTestNodes NODES =
      new OperatorTestNodes(
          data -> new OperatorTestNode(data, () -> OPERATORS, Optional.of(new OneWorkflowRules())));

  private OperatorTestNode node = NODES.shared();

  @Test
  void listHidesFieldsOfWorkflowAndIsRecorded() throws Exception {
    node = NODES.own();
    node.append(received(), approvalRequested("ops", DISTANT));

    assertThat(node.call(call("approvals.list", "{}")))
        .isEqualTo(
            """
            {"jsonrpc":"2.0","id":1,"result":{"approvals":[\
            {"callId":"0192aaaa-0000-7000-8000-00000000abcd","correlationId":"order-7",\
            "tool":"pay","principal":"alice","arguments":{"card":{"number":"[REDACTED]"},"sum":1.50},\
            "workflow":"ops","requestedAt":"2026-01-02T03:04:05Z",\
            "deadline":"2126-01-02T03:04:05Z"}],"more":false}}\
            """);
    assertThat(node.events().getLast())
        .isEqualTo(
            new OperatorActed("operator", "approvals.list", JsonValue.parse("{}"), null, true));
  }

  @Test
  void lookupAndTailHideFieldsOfWorkflow() throws Exception {
    node = NODES.own();
    node.append(received(), approvalRequested("ops", DISTANT));

    String looked = node.callAs("arno", call("audit.lookup", "{\"id\":\"order-7\"}"));
    assertThat(JSON.readTree(looked).at("/result/calls/0/events/0/data/arguments/redacted"))
        .isEqualTo(JSON.readTree(HIDDEN));
    try (TailStream stream =
        TailStream.followingAs(node, "arno", "?after=0&callId=" + CALL + "&name=CallReceived")) {
      assertThat(stream.event().at("/data/arguments/redacted")).isEqualTo(JSON.readTree(HIDDEN));
    }
  }

  @Test
  void lookupHidesAllArgumentsOfUnknownWorkflow() throws Exception {
    node = NODES.own();
    node.append(received(), approvalRequested("gone", DISTANT));

    String looked = node.callAs("arno", call("audit.lookup", "{\"id\":\"order-7\"}"));

    assertThat(JSON.readTree(looked).at("/result/calls/0/events/0/data/arguments").has("digest"))
        .isTrue();
    assertThat(looked).doesNotContain("redacted");
  }

  @Test
  void decidedApprovalsShowOperatorAndReason() throws Exception {
    node = NODES.own();
    node.append(received(), approvalRequested("ops", DISTANT));
    assertThat(result(node.call(call("approvals.list", "{\"decided\":true}"))))
        .isEqualTo(
            """
            {"approvals":[],"more":false}\
            """);

    node.callAs(
        "ada",
        call(
            "approvals.reject",
            """
            {"callId":"%s","reason":"no"}\
            """
                .formatted(CALL)));

    JsonNode decided = first(node.call(call("approvals.list", "{\"decided\":true}")));
    assertThat(
            Stream.of("callId", "outcome", "by", "reason")
                .map(name -> decided.path(name).asText())
                .toList())
        .containsExactly(CALL.toString(), "rejected", "ada", "no");
    assertThat(decided.path("decidedAt").asText()).endsWith("Z");
  }

  @Test
  void argumentsAreOmittedWithoutTheRole() throws Exception {
    node = NODES.own();
    node.append(received(), approvalRequested("ops", DISTANT));

    JsonNode listed = first(node.callAs("ada", call("approvals.list", "{}")));
    String found = node.callAs("vera", call("audit.lookup", "{\"id\":\"order-7\"}"));

    assertThat(listed.has("arguments")).isFalse();
    assertThat(listed.path("tool").asText()).isEqualTo("pay");
    assertThat(found).contains("\"target\":\"pay\"").doesNotContain("arguments", "4111");
    assertThat(node.callAs("arno", call("audit.lookup", "{\"id\":\"order-7\"}")))
        .contains("\"sum\"");
  }

  @Test
  void argumentsOfARemovedWorkflowAreNotShown() throws Exception {
    node = NODES.own();
    node.append(received(), approvalRequested("gone", DISTANT));

    JsonNode listed = first(node.call(call("approvals.list", "{}")));

    assertThat(listed.path("arguments").isNull()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0192aaaa-0000-7000-8000-00000000abcd",
        "0192AAAA-0000-7000-8000-00000000ABCD",
        "0192aaaa00007000800000000000abcd",
        " 0192aaaa-0000-7000-8000-00000000abcd\\n"
      })
  void anApprovalIsRecordedWithItsOperator(String id) throws Exception {
    node = NODES.own();
    node.append(received(), approvalRequested("ops", DISTANT));
    String params =
        """
        {"callId":"%s","reason":"fine"}\
        """
            .formatted(id);

    assertThat(result(node.callAs("ada", call("approvals.approve", params))))
        .isEqualTo(
            """
            {"callId":"%s","outcome":"granted"}\
            """
                .formatted(CALL));

    ApprovalGranted granted = (ApprovalGranted) node.events().get(2);
    assertThat(granted)
        .isEqualTo(new ApprovalGranted(CALL, CALL, null, "ada", "fine", granted.decidedAt()));
    assertThat(node.events().getLast())
        .isEqualTo(
            new OperatorActed(
                "ada",
                "approvals.approve",
                JsonValue.parse("{\"callId\":\"%s\"}".formatted(id)),
                CALL,
                true));
    assertThat(result(node.call(call("approvals.list", "{}"))))
        .isEqualTo(
            """
            {"approvals":[],"more":false}\
            """);
  }

  @Test
  void aSecondRejectionLearnsOfTheRecordedOne() throws Exception {
    node = NODES.own();
    node.append(received(), approvalRequested("ops", DISTANT));

    assertThat(result(node.callAs("ada", decide("reject"))))
        .isEqualTo(
            """
            {"callId":"%s","outcome":"rejected"}\
            """
                .formatted(CALL));
    ApprovalRejected rejected = (ApprovalRejected) node.events().get(2);
    assertThat(rejected)
        .isEqualTo(new ApprovalRejected(CALL, CALL, null, "ada", null, rejected.decidedAt()));

    assertThat(result(node.call(decide("approve"))))
        .isEqualTo(
            """
            {"callId":"%s","outcome":"already-decided","decision":"rejected","by":"ada","at":"%s"}\
            """
                .formatted(CALL, rejected.decidedAt()));
    assertThat(node.events()).filteredOn(ApprovalGranted.class::isInstance).isEmpty();
  }

  @Test
  void aLateApprovalLearnsTheDeadline() throws Exception {
    node = NODES.own();
    node.append(received(), approvalRequested("ops", ASKED_AT.plusSeconds(600)));

    assertThat(result(node.call(decide("approve"))))
        .isEqualTo(
            """
            {"callId":"%s","outcome":"too-late","deadline":"2026-01-02T03:14:05Z"}\
            """
                .formatted(CALL));
  }

  @Test
  void anApprovalForADisconnectedCallerDoesNothing() throws Exception {
    node = NODES.own();
    node.append(received(), approvalRequested("ops", DISTANT));
    node.append(new CallAbandoned(CALL, CallAbandoned.Cause.DISCONNECTED, false, 1));

    assertThat(result(node.call(decide("approve"))))
        .isEqualTo(
            """
            {"callId":"%s","outcome":"caller-gone","end":"abandoned"}\
            """
                .formatted(CALL));
    assertThat(node.events()).filteredOn(ApprovalGranted.class::isInstance).isEmpty();
  }

  @Test
  void decidingACallWithoutAnApprovalIsARecordedError() throws Exception {
    node = NODES.own();
    node.append(received());

    assertThat(error(node.call(decide("approve"))))
        .isEqualTo(
            """
            {"code":-32602,"message":"no approval was requested for this call: approvals.list shows \
            what waits","data":{"correlation_id":"c-1","details":"callId: expected the id of another \
            call","param":"callId","expected":"the id of another call","received":"string"}}\
            """);
    assertThat(node.events().subList(1, node.events().size()))
        .containsExactly(
            new OperatorActed(
                "operator",
                "approvals.approve",
                JsonValue.parse("{\"callId\":\"%s\"}".formatted(CALL)),
                CALL,
                true));
  }

  @Test
  void aForbiddenMethodDoesNothingAndNamesItsRole() throws Exception {
    node = NODES.own();
    node.append(received(), approvalRequested("ops", DISTANT));

    String params =
        """
        {"callId":"%s","reason":"he is ill"}\
        """
            .formatted(CALL);
    assertThat(error(node.callAs("vera", call("approvals.approve", params))))
        .isEqualTo(
            """
            {"code":403,"message":"this requires the role approve: ask an admin",\
            "data":{"correlation_id":"c-1","reason":"not-permitted"}}\
            """);
    assertThat(node.events().subList(2, node.events().size()))
        .containsExactly(
            new OperatorActed(
                "vera",
                "approvals.approve",
                JsonValue.parse("{\"callId\":\"%s\"}".formatted(CALL)),
                null,
                false));
  }

  @Test
  void anOperatorRemovedFromTheRulesIsUnknownAtOnce() throws Exception {
    List<KnownOperator> operators = new ArrayList<>(OPERATORS);
    node =
        NODES.own(
            data -> new OperatorTestNode(data, () -> List.copyOf(operators), Optional.empty()));
    assertThat(status("ada")).isEqualTo(200);

    operators.removeIf(it -> it.name().equals("ada"));

    assertThat(status("ada")).isEqualTo(401);
    assertThat(status("ADA")).isEqualTo(401);
    assertThat(status(node.token())).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"callId\":1}",
        "{\"callId\":\"\"}",
        "{\"callId\":\"order-7\"}",
        """
        {"callId":"0192aaaa-0000-7000-8000-00000000abc"}\
        """,
        """
        {"callId":"0192aaaa-0000-7000-8000-00000000abcg"}\
        """,
        """
        {"callId":"0192aaaa-0000-7000-8000-00000000abcd","reason":" "}\
        """,
        """
        {"callId":"0192aaaa-0000-7000-8000-00000000abcd","reason":7}\
        """,
        """
        {"callId":"0192aaaa-0000-7000-8000-00000000abcd","approved":true}\
        """
      })
  void badInputIsAnErrorAndChangesNothing(String params) throws Exception {
    node = NODES.shared("held", it -> it.append(received(), approvalRequested("ops", DISTANT)));
    List<Event> before = node.events();

    assertThat(code(node.call(call("approvals.approve", params)))).isEqualTo(-32_602);
    assertThat(code(node.call(call("approvals.reject", params)))).isEqualTo(-32_602);
    assertThat(node.events()).isEqualTo(before);
  }

  @Test
  void aReasonHasALimitInBytes() throws Exception {
    node = NODES.own();
    node.append(received(), approvalRequested("ops", DISTANT));
    String longest = "é".repeat(DecideApproval.REASON_BYTES_MAX / 2);

    assertThat(code(node.call(call("approvals.approve", reasonParams(longest + "!")))))
        .isEqualTo(-32_602);
    assertThat(code(node.call(call("approvals.approve", reasonParams(longest))))).isEqualTo(0);
  }

  @Test
  void aPageReportsThatThereIsMore() throws Exception {
    node = NODES.own();
    node.append(received(), approvalRequested("ops", DISTANT));
    UUID later = new UUID(CALL.getMostSignificantBits() + (1L << 16), 1);
    node.append(received(later), approvalRequested(later, "ops", DISTANT));

    JsonNode page =
        JSON.readTree(node.call(call("approvals.list", "{\"limit\":1}"))).path("result");

    assertThat(page.path("approvals").findValuesAsText("callId")).containsExactly(CALL.toString());
    assertThat(page.path("more").asBoolean()).isTrue();
  }

  @Test
  void allViewsReportTheirPositions() throws Exception {
    assertThat(
            JSON.readTree(node.call(call("audit.projections", "{}")))
                .path("result")
                .path("projections")
                .findValuesAsText("name"))
        .containsExactly("calls", "denials", "faults", "approvals", "trees");
  }

  /** Rules with one workflow, which hides a card number. */
  static final class OneWorkflowRules implements RulesInForce {
    @Override
    public Optional<CurrentRules> current() {
      return Optional.empty();
    }

    @Override
    public CheckResult check() {
      return new CheckResult(List.of(new Mistake("gatebook.yaml", 1, 1, "wrong")), List.of());
    }

    @Override
    public CheckResult check(String candidate) {
      return check();
    }

    @Override
    public Reading read(Candidate candidate) {
      throw new IllegalStateException("no candidate is read here");
    }

    @Override
    public Optional<List<String>> hiddenFields(String workflow) {
      return workflow.equals("ops") ? Optional.of(List.of("card.number")) : Optional.empty();
    }
  }

  /** An operator whose token is its name. */
  static KnownOperator operator(String name, Role... roles) {
    byte[] hash = Sha256.of(name.getBytes(UTF_8));
    return new KnownOperator(name, Bytes.of(hash), Set.of(roles));
  }

  private int status(String token) throws Exception {
    return node.post(call("rpc.discover", "{}"), "Authorization", "Bearer " + token).statusCode();
  }

  private static JsonNode first(String answer) throws Exception {
    return JSON.readTree(answer).path("result").path("approvals").path(0);
  }

  private static String result(String answer) throws Exception {
    return JSON.readTree(answer).path("result").toString();
  }

  private static String error(String answer) throws Exception {
    return JSON.readTree(answer).path("error").toString();
  }

  static int code(String answer) throws Exception {
    return JSON.readTree(answer).path("error").path("code").asInt();
  }

  private static String decide(String verb) {
    return call("approvals." + verb, "{\"callId\":\"%s\"}".formatted(CALL));
  }

  private static String reasonParams(String reason) {
    return """
    {"callId":"%s","reason":"%s"}\
    """
        .formatted(CALL.toString().toUpperCase(Locale.ROOT), reason);
  }

  static String call(String method, String params) {
    return """
    {"jsonrpc":"2.0","id":1,"method":"%s","params":%s}\
    """
        .formatted(method, params);
  }

  private static CallReceived received() {
    return received(CALL);
  }

  private static CallReceived received(UUID call) {
    return ReceivedCall.of(call, ASKED_AT)
        .to("bank", "pay")
        .with(
            new KeptContent(
                40,
                DIGEST,
                JsonValue.parse(
                    """
                    {"card":{"number":"4111"},"sum":1.50}\
                    """),
                null),
            null)
        .event();
  }

  private static ApprovalRequested approvalRequested(String workflow, Instant deadline) {
    return approvalRequested(CALL, workflow, deadline);
  }

  private static ApprovalRequested approvalRequested(UUID call, String workflow, Instant deadline) {
    return new ApprovalRequested(
        call,
        call,
        null,
        workflow,
        "operator",
        DIGEST,
        ASKED_AT,
        deadline,
        null,
        OnTimeout.DENY,
        "rules",
        List.of());
  }
}
