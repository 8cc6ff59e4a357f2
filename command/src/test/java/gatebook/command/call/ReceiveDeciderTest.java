package gatebook.command.call;

import static gatebook.command.Given.WORKFLOW;
import static gatebook.command.Given.expose;
import static gatebook.command.Given.rule;
import static gatebook.command.Given.rules;
import static gatebook.command.Given.source;
import static gatebook.command.GivenCall.CALL;
import static gatebook.command.GivenCall.CLOCK;
import static gatebook.command.GivenCall.INSPECTIONS;
import static gatebook.command.GivenCall.KEEPER;
import static gatebook.command.GivenCall.KEEPERS;
import static gatebook.command.GivenCall.NOON;
import static gatebook.command.GivenCall.SECRET_ARGUMENTS;
import static gatebook.command.GivenCall.TELLING;
import static gatebook.command.GivenCall.TOOK_MILLIS;
import static gatebook.command.GivenCall.asked;
import static gatebook.command.GivenCall.call;
import static gatebook.command.GivenCall.held;
import static gatebook.command.GivenCall.inspected;
import static gatebook.command.GivenCall.inspecting;
import static gatebook.command.GivenCall.received;
import static gatebook.command.GivenCall.returning;
import static gatebook.command.GivenCall.told;
import static gatebook.command.GivenCall.tool;
import static gatebook.command.GivenCall.with;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.call.HoldQuota.Seating;
import gatebook.command.gate.GateChain;
import gatebook.command.gate.GateInput;
import gatebook.command.keep.PayloadCipher;
import gatebook.command.keep.PayloadRecorder;
import gatebook.command.rules.ApprovalWorkflow;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.events.ApprovalRequested;
import gatebook.events.ApprovalRequested.OnTimeout;
import gatebook.events.CallAdmitted;
import gatebook.events.CallForwarded;
import gatebook.events.CallReceived;
import gatebook.events.ErrorTranslated;
import gatebook.events.Event;
import gatebook.events.GateDenied;
import gatebook.events.TaskCreated;
import gatebook.events.call.Action;
import gatebook.events.call.DenialReason;
import gatebook.events.call.Exposure;
import gatebook.events.call.Ruling;
import gatebook.events.call.Verdict;
import gatebook.events.fault.Denied;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Misdirected;
import gatebook.events.fault.Problem;
import gatebook.events.fault.ServerFault;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ReceiveDeciderTest {

  private static final Source SOURCE = source("s", "", expose(Exposure.BLOCKLIST, "hidden"));
  private static final Rules RULES =
      rules(
          List.of(SOURCE),
          rule(1, "drop", Action.DENY, null),
          rule(2, "deploy", Action.APPROVE, "ops"),
          rule(3, "orphaned", Action.APPROVE, "gone"),
          rule(4, "pay", Action.POLICY, null));

  private static final Ruling SEEN =
      new Ruling.Visibility(new Verdict.Pass(), Exposure.BLOCKLIST, null, 0);
  private static final Ruling HIDDEN =
      new Ruling.Visibility(
          new Verdict.Deny(DenialReason.NOT_EXPOSED, null), Exposure.BLOCKLIST, "hidden", 0);
  private static final Ruling FORWARDS =
      new Ruling.Governance(new Verdict.Forward(), Action.FORWARD, null, null, 0);
  private static final Ruling ASKS =
      new Ruling.Governance(new Verdict.Ask("ops"), Action.APPROVE, 2, "deploy", 0);

  private final List<String> seatsAskedFor = new ArrayList<>();
  private Seating seating = Seating.TAKEN;

  @Test
  void whatTheGatesLetThroughIsForwardedWithItsIntent() {
    ReceiveCall call = call("read", RULES);

    assertThat(decided(call))
        .isEqualTo(
            new Decision<>(
                List.of(
                    received(call, "s", "read"),
                    new CallAdmitted(CALL, "sha256:1", List.of(SEEN, FORWARDS)),
                    new CallForwarded(CALL, 1, "s", "http://127.0.0.1:1/s", 30_000, null)),
                new ReceiveOutcome.Forwarded(SOURCE)));
  }

  @Test
  void aNotificationIsForwardedTheSameWay() {
    ReceiveCall call = call(tool("read"), null, RULES);

    assertThat(decided(call))
        .isEqualTo(
            new Decision<>(
                List.of(
                    received(call, "s", "read"),
                    new CallAdmitted(CALL, "sha256:1", List.of(SEEN, FORWARDS)),
                    new CallForwarded(CALL, 1, "s", "http://127.0.0.1:1/s", 30_000, null)),
                new ReceiveOutcome.Forwarded(SOURCE)));
  }

  @Test
  void whatActsOnSeveralTargetsGoesToEachSourceOfOneOfThemOnce() {
    Source other = source("t", "t_", expose(Exposure.BLOCKLIST, "hidden"));
    Rules two = rules(List.of(SOURCE, other));
    ReceiveCall call = call(tools("read", "t_read", "again", "t_again"), "1", two);

    assertThat(decided(call))
        .isEqualTo(
            new Decision<>(
                List.of(
                    received(call, "s", "read t_read again t_again"),
                    new CallAdmitted(
                        CALL,
                        "sha256:1",
                        List.of(SEEN, FORWARDS, SEEN, FORWARDS, SEEN, FORWARDS, SEEN, FORWARDS)),
                    new CallForwarded(CALL, 1, "s", "http://127.0.0.1:1/s", 30_000, null),
                    new CallForwarded(CALL, 1, "t", "http://127.0.0.1:1/t", 30_000, null)),
                new ReceiveOutcome.Forwarded(SOURCE)));
  }

  @Test
  void aDenialOfOneOfSeveralTargetsIsCountedAsThatTargets() {
    ReceiveCall call = call(tools("read", "hidden"), "1", RULES);
    Fault fault = new Denied.ToolNotExposed("hidden", "s");

    assertThat(decided(call))
        .isEqualTo(
            new Decision<>(
                List.of(
                    received(call, "s", "read hidden"),
                    new GateDenied(
                        CALL, "sha256:1", "hidden", "ada", List.of(SEEN, FORWARDS, HIDDEN)),
                    translated("hidden", fault)),
                new ReceiveOutcome.Refused(fault, told(fault), DenialReason.NOT_EXPOSED)));
  }

  private static Intent tools(String first, String... others) {
    return new Intent.Act(first, GateInput.On.TOOL, List.of(others));
  }

  @Test
  void whatIsAnsweredHereIsGovernedByNoGate() {
    ReceiveCall call = call(new Intent.Ask(), "1", RULES);

    assertThat(decided(call))
        .isEqualTo(
            new Decision<>(
                List.of(received(call, null, null), new CallAdmitted(CALL, "sha256:1", List.of())),
                new ReceiveOutcome.Admitted()));
  }

  @Test
  void whatNobodyCanDoIsRefusedByNoGate() {
    Fault fault = new Misdirected.MethodNotFound("tools/dance");
    ReceiveCall call = call(new Intent.Unservable(fault), "1", RULES);

    assertThat(decided(call))
        .isEqualTo(
            new Decision<>(
                List.of(received(call, null, null), translated(null, fault)),
                new ReceiveOutcome.Refused(fault, told(fault), null)));
  }

  @Test
  void aHiddenNameIsDeniedByTheFirstGate() {
    assertDenied(
        "hidden",
        "s",
        new Denied.ToolNotExposed("hidden", "s"),
        DenialReason.NOT_EXPOSED,
        List.of(HIDDEN));
  }

  @Test
  void aNameOfNobodyIsDeniedByTheFirstGateAndNamesNoSource() {
    Rules nobody = rules(List.of(source("s", "x_", expose(Exposure.ALL))));

    assertDenied(
        call("read", nobody),
        "read",
        null,
        new Denied.ToolNotExposed("read", null),
        DenialReason.SOURCE_UNKNOWN,
        List.of(
            new Ruling.Visibility(
                new Verdict.Deny(DenialReason.SOURCE_UNKNOWN, null), null, null, 0)));
  }

  @Test
  void aRuleThatSaysNoDeniesWithEveryRulingBeforeIt() {
    assertDenied(
        "drop",
        "s",
        new Denied.GovernanceRuleDenied("drop", "drop", false),
        DenialReason.RULE,
        List.of(
            SEEN,
            new Ruling.Governance(
                new Verdict.Deny(DenialReason.RULE, null), Action.DENY, 1, "drop", 0)));
  }

  @Test
  void aWorkflowThatIsNotThereDenies() {
    assertDenied(
        "orphaned",
        "s",
        new Denied.WorkflowNotFound("gone"),
        DenialReason.WORKFLOW_NOT_FOUND,
        List.of(
            SEEN,
            new Ruling.Governance(new Verdict.Ask("gone"), Action.APPROVE, 3, "orphaned", 0),
            new Ruling.Approval(
                new Verdict.Deny(DenialReason.WORKFLOW_NOT_FOUND, null), "gone", null, null, 0)));
  }

  @Test
  void whatNoPolicyPermitsIsDenied() {
    Decision<ReceiveOutcome> decision = decided(call("pay", RULES));

    assertThat(decision.outcome())
        .isEqualTo(
            new ReceiveOutcome.Refused(
                new Denied.PolicyDenied("pay", "p", null),
                told(new Denied.PolicyDenied("pay", "p", null)),
                DenialReason.NO_POLICY_PERMITS));
    assertThat(decision.events())
        .extracting(Event::getClass)
        .isEqualTo(List.of(CallReceived.class, GateDenied.class, ErrorTranslated.class));
  }

  @Test
  void whatAPersonDecidesIsHeldWithAllThatDecidingAgainTakes() {
    ReceiveCall call = call("deploy", RULES);
    HeldCall heldCall = hold(call, WORKFLOW, NOON.plusSeconds(600), NOON.plusSeconds(300));

    assertThat(decided(call))
        .isEqualTo(
            new Decision<>(
                List.of(
                    received(call, "s", "deploy"),
                    new ApprovalRequested(
                        CALL,
                        CALL,
                        null,
                        "ops",
                        "operator",
                        ApprovalBinding.of(call, asked("deploy"), SOURCE, KEEPER),
                        NOON,
                        NOON.plusSeconds(600),
                        NOON.plusSeconds(300),
                        OnTimeout.DENY,
                        "sha256:1",
                        List.of(SEEN, ASKS))),
                new ReceiveOutcome.Held(heldCall)));
    assertThat(seatsAskedFor).containsExactly("ada");
  }

  @ParameterizedTest
  @CsvSource({"600000, 599999, 599999", "600000, 600000, 600000", "600000, 600001, 600000"})
  void aCallerIsHeldNoLongerThanThereIsTimeToDecide(
      long timeoutMillis, long blockingMillis, long heldMillis) {
    ApprovalWorkflow approvalWorkflow =
        new ApprovalWorkflow(
            "ops", "operator", timeoutMillis, blockingMillis, OnTimeout.APPROVE, List.of());
    ReceiveCall call = call("deploy", asking(approvalWorkflow));

    assertThat(decided(call).outcome())
        .isEqualTo(
            new ReceiveOutcome.Held(
                hold(
                    call,
                    approvalWorkflow,
                    NOON.plusMillis(timeoutMillis),
                    NOON.plusMillis(heldMillis))));
  }

  private static final PayloadRecorder SEALING =
      new PayloadRecorder(
          new byte[PayloadRecorder.KEY_BYTES],
          new PayloadCipher(new byte[PayloadCipher.KEY_BYTES]));

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {"-, 4200000", "1, 600000", "700000, 700000", "999999999999, 86400000"})
  void whoComesBackIsToldForHowLongHeMay(@Nullable Long wanted, long ttlMillis) {
    ReceiveCall call =
        returning(new Deferral("gb_1", TaskCreated.Form.TASK, true, wanted), call("deploy", RULES));

    Decision<ReceiveOutcome> decision = receiving(SEALING).decide(call);

    ApprovalRequested question =
        held(
                call,
                asked("deploy"),
                "gb_1",
                WORKFLOW,
                ApprovalBinding.of(call, asked("deploy"), SOURCE, SEALING),
                List.of(SEEN, ASKS),
                NOON.plusSeconds(600),
                null)
            .question();
    TaskCreated task = new TaskCreated(CALL, "gb_1", TaskCreated.Form.TASK, NOON, ttlMillis);
    assertThat(decision.events().subList(1, 3)).isEqualTo(List.of(question, task));
    assertThat(((CallReceived) decision.events().getFirst()).taskId()).isEqualTo("gb_1");
    assertThat(decision.outcome())
        .isEqualTo(
            new ReceiveOutcome.Deferred(new HeldCall(call, asked("deploy"), question), task));
  }

  @Test
  void whoMayComeBackButNeedNotWaitsWhenHisCallIsTooLargeToBeKept() {
    assertThat(deferred(SEALING, MAX + 1, false)).isInstanceOf(ReceiveOutcome.Held.class);
    assertThat(deferred(SEALING, MAX, false)).isInstanceOf(ReceiveOutcome.Deferred.class);
  }

  @Test
  void whoInsistsOnATaskIsToldWhenHisCallIsTooLargeToBeKept() {
    Problem problem =
        new Problem("task", null, "params of at most 524288 bytes in all", null, List.of());

    assertThat(deferred(SEALING, MAX, true)).isInstanceOf(ReceiveOutcome.Deferred.class);
    assertThat(seatsAskedFor).hasSize(1);
    assertThat(((ReceiveOutcome.Refused) deferred(SEALING, MAX + 1, true)).fault())
        .isEqualTo(new Misdirected.InvalidParams(List.of(problem)));
    assertThat(seatsAskedFor).as("no seat is taken by who is refused").hasSize(1);
  }

  @Test
  void nobodyComesBackForWhatIsNotKept() {
    assertThat(deferred(KEEPER, 64, true)).isInstanceOf(ReceiveOutcome.Held.class);
  }

  private static final int MAX = 524_288;

  /** A call whose params have so many bytes. */
  private ReceiveOutcome deferred(PayloadRecorder payloadRecorder, int bytes, boolean wanted) {
    ReceiveCall call =
        returning(
            new Deferral("gb_1", TaskCreated.Form.TASK, wanted, null),
            with(
                "\"%s\"".formatted("x".repeat(bytes - "{\"arguments\":\"\"}".length())),
                call("deploy", RULES)));
    return receiving(payloadRecorder).decide(call).outcome();
  }

  private ReceiveDecider receiving(PayloadRecorder payloadRecorder) {
    return new ReceiveDecider(
        new GateChain(() -> 0), INSPECTIONS, this::seat, _ -> payloadRecorder, TELLING, CLOCK);
  }

  @Test
  void nobodyIsAskedAboutANotificationAndNoSeatIsTaken() {
    Fault fault =
        new Denied.ApprovalRejected("deploy", null, "a notification is never held", "ops");

    assertDenied(
        call(tool("deploy"), null, RULES),
        "deploy",
        "s",
        fault,
        DenialReason.NOT_ASKED,
        List.of(
            SEEN,
            ASKS,
            new Ruling.Approval(
                new Verdict.Deny(DenialReason.NOT_ASKED, null), "ops", null, null, 0)));
    assertThat(seatsAskedFor).isEmpty();
  }

  @Test
  void aPrincipalWithAsManyHeldCallsAsMayBeIsToldSoByNoGate() {
    seating = Seating.PRINCIPAL_FULL;

    assertWithheld(new Misdirected.RateLimited(Misdirected.Limit.HELD_CALLS, null));
  }

  @Test
  void whenNoMoreCallsMayWaitNobodyIsAsked() {
    seating = Seating.FULL;

    assertWithheld(new ServerFault.ServiceUnavailable(ServerFault.Cause.HELD_CALLS_FULL, null));
  }

  @ParameterizedTest
  @ValueSource(strings = {"read", "deploy"})
  void whatAnInspectorRefusesGoesNowhereAndNobodyIsAskedAboutIt(String tool) {
    ReceiveCall call = with(SECRET_ARGUMENTS, call(tool, inspecting(RULES)));
    Fault fault = inspected(tool, SOURCE);

    assertThat(decided(call))
        .isEqualTo(
            new Decision<>(
                List.of(
                    received(call, "s", tool),
                    new CallAdmitted(
                        CALL, "sha256:1", List.of(SEEN, tool.equals("read") ? FORWARDS : ASKS)),
                    translated(tool, fault)),
                new ReceiveOutcome.Refused(fault, told(fault), null)));
    assertThat(seatsAskedFor).isEmpty();
  }

  @Test
  void whatAGateDeniesNoInspectorSees() {
    assertDenied(
        with(SECRET_ARGUMENTS, call("hidden", inspecting(RULES))),
        "hidden",
        "s",
        new Denied.ToolNotExposed("hidden", "s"),
        DenialReason.NOT_EXPOSED,
        List.of(HIDDEN));
  }

  @Test
  void whatDoesNotWaitTakesNoSeat() {
    decided(call("read", RULES));
    decided(call("drop", RULES));
    decided(call(new Intent.Ask(), "1", RULES));

    assertThat(seatsAskedFor).isEmpty();
  }

  @Test
  void aClockThatWentBackTookNoTime() {
    Fault fault = new Misdirected.MethodNotFound("tools/dance");
    ReceiveCall call = call(new Intent.Unservable(fault), "1", RULES);

    assertThat(receiving(InstantSource.fixed(NOON.minusSeconds(1))).decide(call).events().getLast())
        .isEqualTo(new ErrorTranslated(CALL, null, fault, told(fault), 0, null, 0));
  }

  @Test
  void aCallWithoutParamsKeepsNothingOfThem() {
    ReceiveCall bare = with(null, call("read", RULES));

    assertThat(decided(bare).events().getFirst()).isEqualTo(received(bare, "s", "read"));
  }

  private void assertDenied(
      String tool, String source, Fault fault, DenialReason reason, List<Ruling> rulings) {
    assertDenied(call(tool, RULES), tool, source, fault, reason, rulings);
  }

  private void assertDenied(
      ReceiveCall call,
      String tool,
      @Nullable String source,
      Fault fault,
      DenialReason reason,
      List<Ruling> rulings) {
    assertThat(decided(call))
        .isEqualTo(
            new Decision<>(
                List.of(
                    received(call, source, tool),
                    new GateDenied(CALL, "sha256:1", tool, "ada", rulings),
                    translated(tool, fault)),
                new ReceiveOutcome.Refused(fault, told(fault), reason)));
  }

  private void assertWithheld(Fault fault) {
    ReceiveCall call = call("deploy", RULES);

    assertThat(decided(call))
        .isEqualTo(
            new Decision<>(
                List.of(
                    received(call, "s", "deploy"),
                    new CallAdmitted(CALL, "sha256:1", List.of(SEEN, ASKS)),
                    translated("deploy", fault)),
                new ReceiveOutcome.Refused(fault, told(fault), null)));
  }

  private static ErrorTranslated translated(@Nullable String target, Fault fault) {
    return new ErrorTranslated(CALL, target, fault, told(fault), 0, null, TOOK_MILLIS);
  }

  private static HeldCall hold(
      ReceiveCall call, ApprovalWorkflow approvalWorkflow, Instant deadline, Instant heldUntil) {
    return held(
        call,
        asked("deploy"),
        null,
        approvalWorkflow,
        ApprovalBinding.of(call, asked("deploy"), SOURCE, KEEPER),
        List.of(SEEN, ASKS),
        deadline,
        heldUntil);
  }

  private static Rules asking(ApprovalWorkflow approvalWorkflow) {
    return rules(
        "sha256:1",
        List.of(SOURCE),
        Action.FORWARD,
        List.of(approvalWorkflow),
        rule(2, "deploy", Action.APPROVE, "ops"));
  }

  private Decision<ReceiveOutcome> decided(ReceiveCall call) {
    return receiving(CLOCK).decide(call);
  }

  private ReceiveDecider receiving(InstantSource clock) {
    return new ReceiveDecider(
        new GateChain(() -> 0), INSPECTIONS, this::seat, KEEPERS, TELLING, clock);
  }

  private Seating seat(UUID callId, String principal, GatewayLimits gatewayLimits) {
    assertThat(callId).isEqualTo(CALL);
    assertThat(gatewayLimits).isEqualTo(GatewayLimits.DEFAULT);
    seatsAskedFor.add(principal);
    return seating;
  }
}
