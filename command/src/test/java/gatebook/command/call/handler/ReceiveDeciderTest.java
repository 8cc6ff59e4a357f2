package gatebook.command.call.handler;

import static gatebook.command.GivenCall.CALL;
import static gatebook.command.GivenCall.CLOCK;
import static gatebook.command.GivenCall.INSPECTORS;
import static gatebook.command.GivenCall.NOON;
import static gatebook.command.GivenCall.RECORDER;
import static gatebook.command.GivenCall.RECORDERS;
import static gatebook.command.GivenCall.SECRET_ARGUMENTS;
import static gatebook.command.GivenCall.TOOK_MILLIS;
import static gatebook.command.GivenCall.call;
import static gatebook.command.GivenCall.errorResponse;
import static gatebook.command.GivenCall.gateInput;
import static gatebook.command.GivenCall.heldCall;
import static gatebook.command.GivenCall.inspectorFault;
import static gatebook.command.GivenCall.receiveDecider;
import static gatebook.command.GivenCall.received;
import static gatebook.command.GivenCall.recorders;
import static gatebook.command.GivenCall.tool;
import static gatebook.command.GivenCall.withArguments;
import static gatebook.command.GivenCall.withDeferral;
import static gatebook.command.GivenCall.withInspectors;
import static gatebook.command.GivenSources.WORKFLOW;
import static gatebook.command.GivenSources.expose;
import static gatebook.command.GivenSources.rule;
import static gatebook.command.GivenSources.rules;
import static gatebook.command.GivenSources.source;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.GivenCall;
import gatebook.command.call.CallQuotas.QuotaResult;
import gatebook.command.call.Decision;
import gatebook.command.call.Deferral;
import gatebook.command.call.Deferral.Condition;
import gatebook.command.call.HeldCall;
import gatebook.command.call.Intent;
import gatebook.command.call.ReceiveCall;
import gatebook.command.call.ReceiveOutcome;
import gatebook.command.call.approval.ApprovalBinding;
import gatebook.command.gate.GateChain;
import gatebook.command.gate.GateInput;
import gatebook.command.inspect.InspectorChain;
import gatebook.command.keep.PayloadRecorders;
import gatebook.command.redact.Scrubber;
import gatebook.command.rules.ApprovalWorkflow;
import gatebook.command.rules.Limit;
import gatebook.command.rules.RecordRules;
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
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ReceiveDeciderTest {

  private static final Misdirected.RateLimited BUDGET_USED_UP =
      new Misdirected.RateLimited(Misdirected.Limit.BUDGET, 3L);

  private static final Source SOURCE = source("s", "", expose(Exposure.BLOCKLIST, "hidden"));
  private static final Rules RULES =
      rules(
          List.of(SOURCE),
          rule(1, "drop", Action.DENY, null),
          rule(2, "deploy", Action.APPROVE, "ops"),
          rule(3, "orphaned", Action.APPROVE, "gone"),
          rule(4, "pay", Action.POLICY, null));

  private static final Ruling SHOWN =
      new Ruling.Visibility(new Verdict.Pass(), Exposure.BLOCKLIST, null, 0);
  private static final Ruling HIDDEN =
      new Ruling.Visibility(
          new Verdict.Deny(DenialReason.NOT_EXPOSED, null), Exposure.BLOCKLIST, "hidden", 0);
  private static final Ruling FORWARDS =
      new Ruling.Governance(new Verdict.Forward(), Action.FORWARD, null, null, 0);
  private static final Ruling ASKS =
      new Ruling.Governance(new Verdict.Ask("ops"), Action.APPROVE, 2, "deploy", 0);

  private QuotaResult quotaResult = QuotaResult.TAKEN;

  @Test
  void anAllowedCallIsForwarded() {
    ReceiveCall call = call("read", RULES);

    assertThat(decided(call))
        .isEqualTo(
            new Decision<>(
                List.of(
                    received(call, "s", "read"),
                    new CallAdmitted(
                        CALL, "sha256:1", List.of(SHOWN, FORWARDS), GateChain.LOGIC_VERSION, null),
                    new CallForwarded(CALL, 1, "s", "http://127.0.0.1:1/s", 30_000, null)),
                new ReceiveOutcome.Forwarded(SOURCE)));
  }

  @Test
  void aNotificationIsForwarded() {
    ReceiveCall call = call(tool("read"), null, RULES);

    assertThat(decided(call))
        .isEqualTo(
            new Decision<>(
                List.of(
                    received(call, "s", "read"),
                    new CallAdmitted(
                        CALL, "sha256:1", List.of(SHOWN, FORWARDS), GateChain.LOGIC_VERSION, null),
                    new CallForwarded(CALL, 1, "s", "http://127.0.0.1:1/s", 30_000, null)),
                new ReceiveOutcome.Forwarded(SOURCE)));
  }

  @Test
  void aCallWithSeveralTargetsIsForwardedOncePerSource() {
    Source other = source("t", "t_", expose(Exposure.BLOCKLIST, "hidden"));
    Rules two = rules(List.of(SOURCE, other));
    ReceiveCall call = call(tools("read", "t_read", "again", "t_again"), "1", two);

    assertThat(decided(call, two))
        .isEqualTo(
            new Decision<>(
                List.of(
                    received(call, "s", "read t_read again t_again"),
                    new CallAdmitted(
                        CALL,
                        "sha256:1",
                        List.of(SHOWN, FORWARDS, SHOWN, FORWARDS, SHOWN, FORWARDS, SHOWN, FORWARDS),
                        GateChain.LOGIC_VERSION,
                        null),
                    new CallForwarded(CALL, 1, "s", "http://127.0.0.1:1/s", 30_000, null),
                    new CallForwarded(CALL, 1, "t", "http://127.0.0.1:1/t", 30_000, null)),
                new ReceiveOutcome.Forwarded(SOURCE)));
  }

  @Test
  void aDenialNamesTheDeniedOneOfSeveralTargets() {
    ReceiveCall call = call(tools("read", "hidden"), "1", RULES);
    Fault fault = new Denied.ToolNotExposed("hidden", "s");

    assertThat(decided(call))
        .isEqualTo(
            new Decision<>(
                List.of(
                    received(call, "s", "read hidden"),
                    new GateDenied(
                        CALL,
                        "sha256:1",
                        "hidden",
                        "ada",
                        List.of(SHOWN, FORWARDS, HIDDEN),
                        GateChain.LOGIC_VERSION,
                        null),
                    translated("hidden", fault)),
                new ReceiveOutcome.Refused(fault, errorResponse(fault), DenialReason.NOT_EXPOSED)));
  }

  private static Intent tools(String first, String... others) {
    return new Intent.Act(first, GateInput.TargetKind.TOOL, List.of(others));
  }

  @Test
  void noGateGovernsWhatTheGatewayAnswers() {
    ReceiveCall call = call(new Intent.AnswerHere(), "1", RULES);

    assertThat(decided(call))
        .isEqualTo(
            new Decision<>(
                List.of(
                    received(call, null, null),
                    new CallAdmitted(CALL, "sha256:1", List.of(), GateChain.LOGIC_VERSION, null)),
                new ReceiveOutcome.Admitted()));
  }

  @Test
  void anUnservableCallIsRefusedByNoGate() {
    Fault fault = new Misdirected.MethodNotFound("tools/dance");
    ReceiveCall call = call(new Intent.Unservable(fault), "1", RULES);

    assertThat(decided(call))
        .isEqualTo(
            new Decision<>(
                List.of(received(call, null, null), translated(null, fault)),
                new ReceiveOutcome.Refused(fault, errorResponse(fault), null)));
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
  void anUnknownNameIsDeniedWithoutASource() {
    Rules withoutSource = rules(List.of(source("s", "x_", expose(Exposure.ALL))));

    assertDenied(
        call("read", withoutSource),
        withoutSource,
        "read",
        null,
        new Denied.ToolNotExposed("read", null),
        DenialReason.SOURCE_UNKNOWN,
        List.of(
            new Ruling.Visibility(
                new Verdict.Deny(DenialReason.SOURCE_UNKNOWN, null), null, null, 0)));
  }

  @Test
  void aRulesDenialIncludesEarlierRulings() {
    assertDenied(
        "drop",
        "s",
        new Denied.GovernanceRuleDenied("drop", "drop", false),
        DenialReason.RULE,
        List.of(
            SHOWN,
            new Ruling.Governance(
                new Verdict.Deny(DenialReason.RULE, null), Action.DENY, 1, "drop", 0)));
  }

  @Test
  void aMissingWorkflowDenies() {
    assertDenied(
        "orphaned",
        "s",
        new Denied.WorkflowNotFound("gone"),
        DenialReason.WORKFLOW_NOT_FOUND,
        List.of(
            SHOWN,
            new Ruling.Governance(new Verdict.Ask("gone"), Action.APPROVE, 3, "orphaned", 0),
            new Ruling.Approval(
                new Verdict.Deny(DenialReason.WORKFLOW_NOT_FOUND, null), "gone", null, null, 0)));
  }

  @Test
  void aCallThatNoPolicyPermitsIsDenied() {
    Decision<ReceiveOutcome> decision = decided(call("pay", RULES));

    assertThat(decision.outcome())
        .isEqualTo(
            new ReceiveOutcome.Refused(
                new Denied.PolicyDenied("pay", "p", "no policy permits it"),
                errorResponse(new Denied.PolicyDenied("pay", "p", "no policy permits it")),
                DenialReason.NO_POLICY_PERMITS));
    assertThat(decision.events())
        .extracting(Event::getClass)
        .isEqualTo(List.of(CallReceived.class, GateDenied.class, ErrorTranslated.class));
  }

  @Test
  void aCallThatNeedsApprovalIsHeld() {
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
                        RECORDER.digest(ApprovalBinding.content(call, gateInput("deploy"), SOURCE)),
                        NOON,
                        NOON.plusSeconds(600),
                        NOON.plusSeconds(300),
                        OnTimeout.DENY,
                        "sha256:1",
                        List.of(SHOWN, ASKS),
                        GateChain.LOGIC_VERSION,
                        null)),
                new ReceiveOutcome.Held(heldCall)));
  }

  @ParameterizedTest
  @CsvSource({"600000, 599999, 599999", "600000, 600000, 600000", "600000, 600001, 600000"})
  void aCallIsHeldNoLongerThanItsApproval(
      long timeoutMillis, long blockingMillis, long heldMillis) {
    ApprovalWorkflow approvalWorkflow =
        new ApprovalWorkflow(
            "ops", "operator", timeoutMillis, blockingMillis, OnTimeout.APPROVE, List.of());
    Rules rules = rulesWith(approvalWorkflow);
    ReceiveCall call = call("deploy", rules);

    assertThat(decided(call, rules).outcome())
        .isEqualTo(
            new ReceiveOutcome.Held(
                hold(
                    call,
                    approvalWorkflow,
                    NOON.plusMillis(timeoutMillis),
                    NOON.plusMillis(heldMillis))));
  }

  private static final PayloadRecorders KEEPS_NOTHING =
      recorders(new RecordRules(false, false, 1_024));

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {"-, 4200000", "1, 600000", "700000, 700000", "999999999999, 86400000"})
  void aTaskHasATimeToLiveWithinLimits(@Nullable Long requested, long ttlMillis) {
    ReceiveCall call =
        withDeferral(
            new Deferral("gb_1", TaskCreated.Form.TASK, Condition.IF_HELD_AS_REQUESTED, requested),
            call("deploy", RULES));

    Decision<ReceiveOutcome> decision = decider(RECORDERS).decide(call, RULES, QuotaResult.TAKEN);

    ApprovalRequested approvalRequest =
        heldCall(
                call,
                gateInput("deploy"),
                "gb_1",
                WORKFLOW,
                RECORDER.digest(ApprovalBinding.content(call, gateInput("deploy"), SOURCE)),
                List.of(SHOWN, ASKS),
                NOON.plusSeconds(600),
                null)
            .approvalRequest();
    TaskCreated task = new TaskCreated(CALL, "gb_1", TaskCreated.Form.TASK, NOON, ttlMillis);
    assertThat(decision.events().subList(1, 3)).isEqualTo(List.of(approvalRequest, task));
    assertThat(((CallReceived) decision.events().getFirst()).taskId()).isEqualTo("gb_1");
    assertThat(decision.outcome())
        .isEqualTo(
            new ReceiveOutcome.Deferred(
                new HeldCall(call, gateInput("deploy"), approvalRequest), task, false));
  }

  @Test
  void anOptionalTaskWithTooLargeParamsIsHeldInstead() {
    assertThat(deferred(RECORDERS, MAX + 1, Condition.IF_HELD))
        .isInstanceOf(ReceiveOutcome.Held.class);
    assertThat(deferred(RECORDERS, MAX, Condition.IF_HELD))
        .isInstanceOf(ReceiveOutcome.Deferred.class);
  }

  @Test
  void aRequestedTaskWithTooLargeParamsIsRefused() {
    Problem problem =
        new Problem("task", null, "params of at most 524288 bytes in all", null, List.of());

    assertThat(deferred(RECORDERS, MAX, Condition.IF_HELD_AS_REQUESTED))
        .isInstanceOf(ReceiveOutcome.Deferred.class);
    assertThat(
            ((ReceiveOutcome.Refused) deferred(RECORDERS, MAX + 1, Condition.IF_HELD_AS_REQUESTED))
                .fault())
        .isEqualTo(new Misdirected.InvalidParams(List.of(problem)));
  }

  @Test
  void everyCallOfSomeProtocolsIsTaskAtOnce() {
    ReceiveCall call =
        withDeferral(
            new Deferral("gb_1", TaskCreated.Form.TASK, Condition.ALWAYS, null),
            call("read", RULES));

    Decision<ReceiveOutcome> decision = decider(RECORDERS).decide(call, RULES, QuotaResult.TAKEN);

    TaskCreated task =
        new TaskCreated(
            CALL, "gb_1", TaskCreated.Form.TASK, NOON, RULES.limits().get(Limit.TASK_KEPT_MILLIS));
    CallReceived received = (CallReceived) decision.events().getFirst();
    assertThat(received.taskId()).isEqualTo("gb_1");
    assertThat(decision.events().subList(1, 4))
        .isEqualTo(
            List.of(
                new CallAdmitted(
                    CALL, "sha256:1", List.of(SHOWN, FORWARDS), GateChain.LOGIC_VERSION, null),
                new CallForwarded(CALL, 1, "s", "http://127.0.0.1:1/s", 30_000, null),
                task));
    assertThat(decision.outcome()).isEqualTo(new ReceiveOutcome.Started(call, SOURCE, task, false));
  }

  @Test
  void callThatIsTaskAtOnceHasLimitedParams() {
    Problem problem =
        new Problem("params", null, "params of at most 524288 bytes in all", null, List.of());

    assertThat(deferred("read", RECORDERS, MAX, Condition.ALWAYS))
        .isInstanceOf(ReceiveOutcome.Started.class);
    assertThat(
            ((ReceiveOutcome.Refused) deferred("read", RECORDERS, MAX + 1, Condition.ALWAYS))
                .fault())
        .isEqualTo(new Misdirected.InvalidParams(List.of(problem)));
    assertThat(deferred("deploy", RECORDERS, MAX, Condition.ALWAYS))
        .isInstanceOf(ReceiveOutcome.Deferred.class);
  }

  @Test
  void callWithoutKeptOriginalsIsForwardedWithoutTask() {
    assertThat(deferred("read", KEEPS_NOTHING, 64, Condition.ALWAYS))
        .isEqualTo(new ReceiveOutcome.Forwarded(SOURCE));
  }

  @Test
  void notificationIsNoTask() {
    ReceiveCall notification =
        withDeferral(
            new Deferral("gb_1", TaskCreated.Form.TASK, Condition.ALWAYS, null),
            call(tool("read"), null, RULES));

    assertThat(decider(RECORDERS).decide(notification, RULES, QuotaResult.TAKEN).outcome())
        .isEqualTo(new ReceiveOutcome.Forwarded(SOURCE));
  }

  @Test
  void thereIsNoTaskWithoutKeptOriginals() {
    assertThat(deferred(KEEPS_NOTHING, 64, Condition.IF_HELD_AS_REQUESTED))
        .isInstanceOf(ReceiveOutcome.Held.class);
  }

  private static final int MAX = 524_288;

  /** Receives a call whose params have this many bytes. */
  private static ReceiveOutcome deferred(
      PayloadRecorders payloadRecorders, int bytes, Condition condition) {
    return deferred("deploy", payloadRecorders, bytes, condition);
  }

  private static ReceiveOutcome deferred(
      String tool, PayloadRecorders payloadRecorders, int bytes, Condition condition) {
    ReceiveCall call =
        withDeferral(
            new Deferral("gb_1", TaskCreated.Form.TASK, condition, null),
            withArguments(
                "\"%s\"".formatted("x".repeat(bytes - "{\"arguments\":\"\"}".length())),
                call(tool, RULES)));
    return decider(payloadRecorders).decide(call, RULES, QuotaResult.TAKEN).outcome();
  }

  private static ReceiveDecider decider(PayloadRecorders payloadRecorders) {
    return receiveDecider(INSPECTORS, payloadRecorders, CLOCK);
  }

  @Test
  void aNotificationIsDeniedInsteadOfHeld() {
    Fault fault =
        new Denied.ApprovalRejected("deploy", null, "a notification is never held", "ops");

    assertDenied(
        call(tool("deploy"), null, RULES),
        RULES,
        "deploy",
        "s",
        fault,
        DenialReason.NOT_ASKED,
        List.of(
            SHOWN,
            ASKS,
            new Ruling.Approval(
                new Verdict.Deny(DenialReason.NOT_ASKED, null), "ops", null, null, 0)));
  }

  @Test
  void aPrincipalsFullQuotaLimitsItsRate() {
    quotaResult = QuotaResult.PRINCIPAL_FULL;

    assertWithheld(new Misdirected.RateLimited(Misdirected.Limit.HELD_CALLS, null));
  }

  @Test
  void aFullQuotaMakesTheServiceUnavailable() {
    quotaResult = QuotaResult.FULL;

    assertWithheld(new ServerFault.ServiceUnavailable(ServerFault.Cause.HELD_CALLS_FULL, null));
  }

  @ParameterizedTest
  @ValueSource(strings = {"read", "deploy"})
  void aUsedUpQuotaWithholdsTheCallWithItsFault(String tool) {
    quotaResult = new QuotaResult.UsedUp(BUDGET_USED_UP);
    ReceiveCall call = GivenCall.ofTask("task-1", call(tool, RULES));

    assertThat(decided(call).outcome())
        .isEqualTo(new ReceiveOutcome.Refused(BUDGET_USED_UP, errorResponse(BUDGET_USED_UP), null));
    assertThat(decided(call).events())
        .extracting(Object::getClass)
        .containsExactly(CallReceived.class, CallAdmitted.class, ErrorTranslated.class);
  }

  @Test
  void aFullHoldQuotaRefusesNoCallThatIsForwarded() {
    quotaResult = QuotaResult.FULL;

    assertThat(decided(call("read", RULES)).outcome()).isInstanceOf(ReceiveOutcome.Forwarded.class);
  }

  static List<QuotaResult> holdsFull() {
    return List.of(QuotaResult.PRINCIPAL_FULL, QuotaResult.FULL);
  }

  @ParameterizedTest
  @MethodSource("holdsFull")
  void aTasksCallWaitsForRoomWithoutARecord(QuotaResult full) {
    quotaResult = full;

    assertThat(decided(GivenCall.ofTask("task-1", call("deploy", RULES))))
        .isEqualTo(new Decision<>(List.of(), new ReceiveOutcome.NoRoom()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"read", "deploy"})
  void aCallThatAnInspectorRefusesIsWithheld(String tool) {
    Rules rules = withInspectors(RULES);
    ReceiveCall call = withArguments(SECRET_ARGUMENTS, call(tool, rules));
    Fault fault = inspectorFault(tool, SOURCE);

    assertThat(decided(call, rules))
        .isEqualTo(
            new Decision<>(
                List.of(
                    received(call, "s", tool),
                    new CallAdmitted(
                        CALL,
                        "sha256:1",
                        List.of(SHOWN, tool.equals("read") ? FORWARDS : ASKS),
                        GateChain.LOGIC_VERSION,
                        null),
                    translated(tool, fault)),
                new ReceiveOutcome.Refused(fault, errorResponse(fault), null)));
  }

  /** No room is left to record what would come back; a denial has room. */
  @ParameterizedTest
  @ValueSource(strings = {"read", "deploy"})
  void nothingIsForwardedPastAnObstacle(String tool) {
    Fault fault = new ServerFault.ServiceUnavailable(ServerFault.Cause.DISK_RESERVE, null);
    ReceiveDecider decider =
        receiveDecider(
            new InspectorChain(_ -> Scrubber.BUILT_IN, () -> Optional.of(fault)), RECORDERS, CLOCK);
    ReceiveCall call = call(tool, RULES);

    assertThat(decider.decide(call, RULES, quotaResult))
        .isEqualTo(
            new Decision<>(
                List.of(
                    received(call, "s", tool),
                    new CallAdmitted(
                        CALL,
                        "sha256:1",
                        List.of(SHOWN, tool.equals("read") ? FORWARDS : ASKS),
                        GateChain.LOGIC_VERSION,
                        null),
                    translated(tool, fault)),
                new ReceiveOutcome.Refused(fault, errorResponse(fault), null)));
    ReceiveCall denied = call("hidden", RULES);
    assertThat(decider.decide(denied, RULES, quotaResult)).isEqualTo(decided(denied));
  }

  @Test
  void aDeniedCallIsNotInspected() {
    assertDenied(
        withArguments(SECRET_ARGUMENTS, call("hidden", withInspectors(RULES))),
        withInspectors(RULES),
        "hidden",
        "s",
        new Denied.ToolNotExposed("hidden", "s"),
        DenialReason.NOT_EXPOSED,
        List.of(HIDDEN));
  }

  @Test
  void aCallThatIsNotHeldNeedsNoSlot() {
    quotaResult = QuotaResult.FULL;

    for (ReceiveCall call :
        List.of(
            call("read", RULES), call("drop", RULES), call(new Intent.AnswerHere(), "1", RULES))) {
      assertThat(decided(call))
          .isEqualTo(decider(CLOCK).decide(call, RULES, QuotaResult.TAKEN))
          .matches(decision -> !decision.outcome().isHeld());
    }
  }

  @Test
  void aClockSetBackGivesNoNegativeDuration() {
    Fault fault = new Misdirected.MethodNotFound("tools/dance");
    ReceiveCall call = call(new Intent.Unservable(fault), "1", RULES);

    InstantSource earlier = InstantSource.fixed(NOON.minusSeconds(1));
    assertThat(decider(earlier).decide(call, RULES, QuotaResult.TAKEN).events().getLast())
        .isEqualTo(new ErrorTranslated(CALL, null, fault, errorResponse(fault), 0, null, 0));
  }

  @Test
  void aCallWithoutParamsRecordsNone() {
    ReceiveCall bare = withArguments(null, call("read", RULES));

    assertThat(decided(bare).events().getFirst()).isEqualTo(received(bare, "s", "read"));
  }

  private void assertDenied(
      String tool, String source, Fault fault, DenialReason reason, List<Ruling> rulings) {
    assertDenied(call(tool, RULES), RULES, tool, source, fault, reason, rulings);
  }

  private void assertDenied(
      ReceiveCall call,
      Rules rules,
      String tool,
      @Nullable String source,
      Fault fault,
      DenialReason reason,
      List<Ruling> rulings) {
    assertThat(decided(call, rules))
        .isEqualTo(
            new Decision<>(
                List.of(
                    received(call, source, tool),
                    new GateDenied(
                        CALL, "sha256:1", tool, "ada", rulings, GateChain.LOGIC_VERSION, null),
                    translated(tool, fault)),
                new ReceiveOutcome.Refused(fault, errorResponse(fault), reason)));
  }

  private void assertWithheld(Fault fault) {
    ReceiveCall call = call("deploy", RULES);

    assertThat(decided(call))
        .isEqualTo(
            new Decision<>(
                List.of(
                    received(call, "s", "deploy"),
                    new CallAdmitted(
                        CALL, "sha256:1", List.of(SHOWN, ASKS), GateChain.LOGIC_VERSION, null),
                    translated("deploy", fault)),
                new ReceiveOutcome.Refused(fault, errorResponse(fault), null)));
  }

  private static ErrorTranslated translated(@Nullable String target, Fault fault) {
    return new ErrorTranslated(CALL, target, fault, errorResponse(fault), 0, null, TOOK_MILLIS);
  }

  private static HeldCall hold(
      ReceiveCall call, ApprovalWorkflow approvalWorkflow, Instant deadline, Instant heldUntil) {
    return heldCall(
        call,
        gateInput("deploy"),
        null,
        approvalWorkflow,
        RECORDER.digest(ApprovalBinding.content(call, gateInput("deploy"), SOURCE)),
        List.of(SHOWN, ASKS),
        deadline,
        heldUntil);
  }

  private static Rules rulesWith(ApprovalWorkflow approvalWorkflow) {
    return rules(
        "sha256:1",
        List.of(SOURCE),
        Action.FORWARD,
        List.of(approvalWorkflow),
        rule(2, "deploy", Action.APPROVE, "ops"));
  }

  private Decision<ReceiveOutcome> decided(ReceiveCall call) {
    return decided(call, RULES);
  }

  private Decision<ReceiveOutcome> decided(ReceiveCall call, Rules rules) {
    return decider(CLOCK).decide(call, rules, quotaResult);
  }

  private static ReceiveDecider decider(InstantSource clock) {
    return receiveDecider(INSPECTORS, RECORDERS, clock);
  }
}
