package gatebook.command.call.approval;

import static gatebook.command.GivenCall.CALL;
import static gatebook.command.GivenCall.DIGESTS;
import static gatebook.command.GivenCall.INSPECTORS;
import static gatebook.command.GivenCall.KEYS;
import static gatebook.command.GivenCall.NOON;
import static gatebook.command.GivenCall.RECORDER;
import static gatebook.command.GivenCall.SECRET_ARGUMENTS;
import static gatebook.command.GivenCall.TRANSLATOR;
import static gatebook.command.GivenCall.call;
import static gatebook.command.GivenCall.errorResponse;
import static gatebook.command.GivenCall.gateInput;
import static gatebook.command.GivenCall.heldCall;
import static gatebook.command.GivenCall.inspectorFault;
import static gatebook.command.GivenCall.received;
import static gatebook.command.GivenCall.withArguments;
import static gatebook.command.GivenCall.withInspectors;
import static gatebook.command.GivenSources.WORKFLOW;
import static gatebook.command.GivenSources.expose;
import static gatebook.command.GivenSources.rule;
import static gatebook.command.GivenSources.rules;
import static gatebook.command.GivenSources.source;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.call.CallState;
import gatebook.command.call.Decision;
import gatebook.command.call.HeldCall;
import gatebook.command.call.ReceiveCall;
import gatebook.command.gate.GateChain;
import gatebook.command.gate.GateInput;
import gatebook.command.keep.ContentDigests;
import gatebook.command.policy.CedarPolicies;
import gatebook.command.policy.PolicyFile;
import gatebook.command.policy.PolicyReading;
import gatebook.command.rules.ApprovalWorkflow;
import gatebook.command.rules.ExposeRules;
import gatebook.command.rules.Governance.Rule;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.command.rules.Source.Kind;
import gatebook.events.ApprovalGranted;
import gatebook.events.ApprovalRejected;
import gatebook.events.ApprovalRequested.OnTimeout;
import gatebook.events.ApprovalTimedOut;
import gatebook.events.CallAbandoned;
import gatebook.events.CallAdmitted;
import gatebook.events.CallAnswered;
import gatebook.events.CallEvent;
import gatebook.events.CallForwarded;
import gatebook.events.ErrorTranslated;
import gatebook.events.Event;
import gatebook.events.GateDenied;
import gatebook.events.call.Action;
import gatebook.events.call.DenialReason;
import gatebook.events.call.Digest;
import gatebook.events.call.Exposure;
import gatebook.events.call.Gate;
import gatebook.events.call.Ruling;
import gatebook.events.call.Verdict;
import gatebook.events.fault.Denied;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Withheld;
import gatebook.events.keys.ContentKey;
import gatebook.events.keys.ContentOwner;
import gatebook.events.keys.KeyFingerprint;
import gatebook.events.keys.MemoryContentKeys;
import gatebook.events.keys.OldKeys;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class ResumeDeciderTest {

  private static final Instant HELD_UNTIL = NOON.plusSeconds(300);
  private static final Instant DEADLINE = NOON.plusSeconds(600);
  private static final Instant SOON = NOON.plusSeconds(30);

  private static final Source SOURCE = source("s", "", expose(Exposure.BLOCKLIST));
  private static final Rules RULES =
      rules(List.of(SOURCE), rule(2, "deploy", Action.APPROVE, "ops"));
  private static final List<Ruling> RULINGS =
      List.of(
          new Ruling.Visibility(new Verdict.Pass(), Exposure.BLOCKLIST, null, 0),
          new Ruling.Governance(new Verdict.Ask("ops"), Action.APPROVE, 2, "deploy", 0));

  /** Its caller stops waiting before the deadline. */
  private static final HeldCall HOLD = hold(WORKFLOW, HELD_UNTIL, RULINGS);

  /** Its caller waits until the deadline, when the request times out. */
  private static final HeldCall HOLD_TO_DEADLINE = hold(WORKFLOW, DEADLINE, RULINGS);

  private static final ApprovalWorkflow APPROVING = workflow(OnTimeout.APPROVE);
  private static final HeldCall APPROVING_HOLD_TO_DEADLINE = hold(APPROVING, DEADLINE, RULINGS);
  private static final HeldCall APPROVING_HOLD = hold(APPROVING, HELD_UNTIL, RULINGS);

  private static final ApprovalGranted GRANTED =
      new ApprovalGranted(CALL, CALL, null, "ada", "fine", SOON);
  private static final ApprovalRejected REJECTED =
      new ApprovalRejected(CALL, CALL, null, "ada", "too risky", SOON);
  private static final ApprovalTimedOut TIMED_OUT =
      new ApprovalTimedOut(CALL, CALL, null, HELD_UNTIL, 300_000);
  private static final CallForwarded FORWARDED =
      new CallForwarded(CALL, 1, "s", "http://127.0.0.1:1/s", 30_000, null);
  private static final CallAbandoned ABANDONED =
      new CallAbandoned(CALL, CallAbandoned.Cause.DISCONNECTED, false, 1);

  private static final Decision<ResumeOutcome> STILL_HELD =
      new Decision<>(List.of(), new ResumeOutcome.StillHeld());
  private static final Decision<ResumeOutcome> GONE =
      new Decision<>(List.of(), new ResumeOutcome.Gone());

  static Stream<Arguments> decisions() {
    return Stream.of(
        decided("undecided", resumed(HOLD, SOON), STILL_HELD),
        decided(
            "undecided, just before the caller stops waiting",
            resumed(HOLD, HELD_UNTIL.minusNanos(1)),
            STILL_HELD),
        decided(
            "undecided when the caller stops waiting",
            resumed(HOLD, HELD_UNTIL),
            tooLate(300, 300_000, TIMED_OUT)),
        decided(
            "undecided, long after the caller stopped waiting",
            resumed(HOLD, HELD_UNTIL.plusSeconds(5)),
            tooLate(300, 305_000, TIMED_OUT)),
        decided(
            "undecided at the deadline",
            resumed(HOLD_TO_DEADLINE, DEADLINE),
            tooLate(600, 600_000, new ApprovalTimedOut(CALL, CALL, null, DEADLINE, 600_000))),
        decided("timed out before", resumed(HOLD, HELD_UNTIL, TIMED_OUT), tooLate(300, 300_000)),
        decided(
            "undecided at a deadline that approves",
            resumed(APPROVING_HOLD_TO_DEADLINE, DEADLINE),
            forwarded(null, new ApprovalGranted(CALL, CALL, null, null, null, DEADLINE))),
        decided(
            "undecided, just before a deadline that approves",
            resumed(APPROVING_HOLD_TO_DEADLINE, DEADLINE.minusNanos(1)),
            STILL_HELD),
        decided(
            "caller stops waiting before a deadline that approves",
            resumed(APPROVING_HOLD, HELD_UNTIL),
            tooLate(300, 300_000, TIMED_OUT)),
        decided(
            "caller stopped waiting before a deadline that approves and has passed",
            resumed(APPROVING_HOLD, DEADLINE),
            tooLate(300, 600_000, TIMED_OUT)),
        decided("approved", resumed(HOLD, SOON, GRANTED), forwarded("ada")),
        decided(
            "approved in time, resumed after the caller's time",
            resumed(HOLD, HELD_UNTIL.plusSeconds(1), GRANTED),
            forwarded("ada")),
        decided("rejected", resumed(HOLD, SOON, REJECTED), rejected()),
        decided("caller gone", resumed(HOLD, SOON, ABANDONED), GONE),
        decided("approved after the caller left", resumed(HOLD, SOON, ABANDONED, GRANTED), GONE),
        decided("approved before the caller left", resumed(HOLD, SOON, GRANTED, ABANDONED), GONE),
        decided("timeout after the caller left", resumed(HOLD, DEADLINE, ABANDONED), GONE),
        decided("approved and forwarded", resumed(HOLD, SOON, GRANTED, FORWARDED), GONE),
        decided(
            "answered",
            resumed(
                HOLD,
                SOON,
                GRANTED,
                FORWARDED,
                new CallAnswered(
                    CALL, CallAnswered.Outcome.SUCCESS, RECORDER.keep("{}"), 1, 1L, 1)),
            GONE),
        decided(
            "rejected and ended",
            resumed(HOLD, SOON, REJECTED, (CallEvent) rejected().events().getLast()),
            GONE));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("decisions")
  void aHeldCallResumesAsDecided(
      String what, Decision<ResumeOutcome> decision, Decision<ResumeOutcome> expected) {
    assertThat(decision).as(what).isEqualTo(expected);
  }

  @Test
  void aCallWithoutARequestIsNotResumed() {
    assertThat(decider().decide(new ResumeCall(HOLD, RULES.hash(), SOON), CallState.EMPTY, RULES))
        .isEqualTo(GONE);
  }

  static Stream<Arguments> workflowsGone() {
    return Stream.of(
        Arguments.of("undecided", SOON, List.of()),
        Arguments.of("approved", SOON, List.of(GRANTED)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("workflowsGone")
  void aRemovedWorkflowEndsItsHeldCalls(String what, Instant at, List<CallEvent> after) {
    Rules now = rules("sha256:2", List.of(SOURCE), Action.FORWARD, List.of());
    Fault fault = new Denied.WorkflowNotFound("ops");

    assertThat(resumed(HOLD, now, at, after.toArray(CallEvent[]::new)))
        .as(what)
        .isEqualTo(
            denied(
                "sha256:2",
                fault,
                new Verdict.Deny(DenialReason.WORKFLOW_NOT_FOUND, null),
                null,
                30_000));
  }

  @Test
  void aRemovedWorkflowCannotApproveOnTimeout() {
    Rules now = rules("sha256:2", List.of(SOURCE), Action.FORWARD, List.of());

    assertThat(resumed(APPROVING_HOLD_TO_DEADLINE, now, DEADLINE))
        .isEqualTo(
            denied(
                "sha256:2",
                new Denied.WorkflowNotFound("ops"),
                new Verdict.Deny(DenialReason.WORKFLOW_NOT_FOUND, null),
                null,
                600_000));
  }

  static Stream<Arguments> drifts() {
    return Stream.of(
        drifted("name hidden", Gate.VISIBILITY, hiding(), DEPLOY_ASKS),
        drifted("source disabled", Gate.VISIBILITY, disabled(), DEPLOY_ASKS),
        drifted("no source for the name", Gate.VISIBILITY, elsewhere(), DEPLOY_ASKS),
        drifted("a rule denies", Gate.GOVERNANCE, SOURCE, rule(1, "*", Action.DENY, null)),
        drifted("a rule forwards", Gate.GOVERNANCE, SOURCE, rule(1, "*", Action.FORWARD, null)),
        drifted("a policy decides", Gate.GOVERNANCE, SOURCE, rule(1, "*", Action.POLICY, "ops")),
        drifted("the default decides", Gate.GOVERNANCE, SOURCE),
        drifted(
            "another workflow", Gate.GOVERNANCE, SOURCE, rule(2, "deploy", Action.APPROVE, "law")),
        drifted(
            "a missing workflow",
            Gate.GOVERNANCE,
            SOURCE,
            rule(2, "deploy", Action.APPROVE, "gone")));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("drifts")
  void aChangedRulingWithholdsTheCall(String what, Gate gate, Rules now) {
    assertThat(resumed(HOLD, now, SOON, GRANTED))
        .as(what)
        .isEqualTo(
            withheld(new Withheld.PolicyDrift("deploy", null, gate, "sha256:1", "sha256:2")));
  }

  @Test
  void approvalOnTimeoutDoesNotOverrideChangedRules() {
    Rules now = later(List.of(SOURCE), rule(1, "*", Action.DENY, null));
    Fault fault = new Withheld.PolicyDrift("deploy", null, Gate.GOVERNANCE, "sha256:1", "sha256:2");

    assertThat(resumed(APPROVING_HOLD_TO_DEADLINE, now, DEADLINE))
        .isEqualTo(
            new Decision<>(
                List.of(
                    new ApprovalGranted(CALL, CALL, null, null, null, DEADLINE),
                    translated(fault, 600_000)),
                new ResumeOutcome.Refused(fault, errorResponse(fault), null)));
  }

  @Test
  void changedRulesWithTheSameVerdictsChangeNothing() {
    Rules now =
        later(
            List.of(SOURCE, source("t", "t_", ExposeRules.ALL)),
            rule(1, "drop", Action.DENY, null),
            rule(7, "dep*", Action.APPROVE, "ops"));

    assertThat(resumed(HOLD, now, SOON, GRANTED))
        .isEqualTo(
            new Decision<>(
                List.of(
                    new CallAdmitted(
                        CALL,
                        "sha256:2",
                        List.of(
                            RULINGS.getFirst(),
                            new Ruling.Governance(
                                new Verdict.Ask("ops"), Action.APPROVE, 7, "dep*", 0),
                            new Ruling.Approval(new Verdict.Pass(), "ops", CALL, "ada", 0)),
                        GateChain.LOGIC_VERSION,
                        null),
                    FORWARDED),
                new ResumeOutcome.Forwarded(SOURCE)));
  }

  @Test
  void anotherSourceForTheNameWithholdsTheCall() {
    Rules now = later(List.of(source("t", "", expose(Exposure.BLOCKLIST))), DEPLOY_ASKS);

    assertThat(resumed(HOLD, now, SOON, GRANTED))
        .isEqualTo(withheld(new Withheld.TransformDrift("deploy", null)));
  }

  @Test
  void anotherNameAtTheSourceWithholdsTheCall() {
    Rules now =
        later(
            List.of(source("s", "de", expose(Exposure.BLOCKLIST))),
            rule(2, "ploy", Action.APPROVE, "ops"));

    assertThat(resumed(HOLD, now, SOON, GRANTED))
        .isEqualTo(withheld(new Withheld.TransformDrift("deploy", null)));
  }

  @Test
  void approvalIsBoundAcrossDays() {
    Digest ofTheDayBefore =
        DIGESTS.digest(
            ContentOwner.at("ada", NOON.minus(1, ChronoUnit.DAYS)), CONTENT.getBytes(UTF_8));

    assertThat(outcome(DIGESTS, ofTheDayBefore)).isEqualTo(new ResumeOutcome.Forwarded(SOURCE));
  }

  @Test
  void approvalIsBoundByTheDigestKeyOfBefore() {
    byte[] key = "k".repeat(ContentKey.BYTES).getBytes(UTF_8);
    OldKeys oldKeys = new OldKeys(null, key);
    Digest old =
        Objects.requireNonNull(oldKeys.digest(KeyFingerprint.of(key), CONTENT.getBytes(UTF_8)));

    assertThat(outcome(new ContentDigests(KEYS, oldKeys), old))
        .isEqualTo(new ResumeOutcome.Forwarded(SOURCE));
    assertThat(outcome(DIGESTS, old)).isEqualTo(DRIFTED);
  }

  @Test
  void approvalWhoseKeyWasErasedWithholdsTheCall() {
    MemoryContentKeys contentKeys = new MemoryContentKeys();
    ContentDigests contentDigests = new ContentDigests(contentKeys, OldKeys.NONE);
    ContentOwner owner = ContentOwner.ofCall("ada", CALL);
    Digest bound = contentDigests.digest(owner, CONTENT.getBytes(UTF_8));
    assertThat(outcome(contentDigests, bound)).isEqualTo(new ResumeOutcome.Forwarded(SOURCE));

    contentKeys.erase(owner);

    assertThat(outcome(contentDigests, bound)).isEqualTo(DRIFTED);
  }

  private static final String CONTENT =
      ApprovalBinding.content(call("deploy", RULES), gateInput("deploy"), SOURCE);
  private static final ResumeOutcome DRIFTED =
      withheld(new Withheld.TransformDrift("deploy", null)).outcome();

  /** The outcome for a granted call whose approval is bound to this digest. */
  private static ResumeOutcome outcome(ContentDigests contentDigests, Digest bound) {
    HeldCall heldCall =
        heldCall(
            call("deploy", RULES),
            gateInput("deploy"),
            null,
            WORKFLOW,
            bound,
            RULINGS,
            DEADLINE,
            HELD_UNTIL);
    return decider(contentDigests)
        .decide(new ResumeCall(heldCall, RULES.hash(), SOON), state(heldCall, GRANTED), RULES)
        .outcome();
  }

  @Test
  void aCallThatAnInspectorNowRefusesIsWithheld() {
    ReceiveCall call = withArguments(SECRET_ARGUMENTS, HOLD.call());
    GateInput gateInput =
        new GateInput(
            call.principal(),
            call.method(),
            "deploy",
            GateInput.TargetKind.TOOL,
            SECRET_ARGUMENTS,
            NOON);
    HeldCall heldCall =
        heldCall(
            call,
            gateInput,
            null,
            WORKFLOW,
            RECORDER.digest(ApprovalBinding.content(call, gateInput, SOURCE)),
            RULINGS,
            DEADLINE,
            HELD_UNTIL);

    assertThat(resumed(heldCall, withInspectors(RULES), SOON, GRANTED))
        .isEqualTo(withheld(inspectorFault("deploy", SOURCE)));
  }

  @Test
  void aPolicyThatStillPermitsChangesNothing() {
    Rules rules = rulesWithPolicy("sha256:1", PERMIT, "ops");
    HeldCall heldCall = heldUnder(rules);

    Decision<ResumeOutcome> decision =
        resumed(heldCall, rulesWithPolicy("sha256:2", PERMIT, "ops"), SOON, GRANTED);

    assertThat(decision.outcome()).isEqualTo(new ResumeOutcome.Forwarded(SOURCE));
  }

  static Stream<Arguments> policies() {
    return Stream.of(
        Arguments.of("forbids it", rulesWithPolicy("sha256:2", FORBID, "ops"), Gate.POLICY),
        Arguments.of("permits it no longer", rulesWithPolicy("sha256:2", "", "ops"), Gate.POLICY),
        Arguments.of(
            "permits it without an approval",
            rulesWithPolicy("sha256:2", PERMIT, null),
            Gate.GOVERNANCE));
  }

  @ParameterizedTest(name = "a policy {0}")
  @MethodSource("policies")
  void aChangedPolicyDecisionWithholdsTheCall(String what, Rules now, Gate gate) {
    assertThat(resumed(heldUnder(rulesWithPolicy("sha256:1", PERMIT, "ops")), now, SOON, GRANTED))
        .as(what)
        .isEqualTo(
            withheld(new Withheld.PolicyDrift("deploy", null, gate, "sha256:1", "sha256:2")));
  }

  @Test
  void policiesSeeTheTimeOfResuming() {
    Rules beforeOne =
        rulesWithPolicy(
            "sha256:1",
            "permit(principal, action, resource) when { context.time.hour < 13 };",
            "ops");
    Fault fault = new Withheld.PolicyDrift("deploy", null, Gate.POLICY, "sha256:1", "sha256:1");

    assertThat(resumed(heldUnder(beforeOne), beforeOne, NOON.plusSeconds(3_600), GRANTED))
        .isEqualTo(
            new Decision<>(
                List.of(translated(fault, 3_600_000)),
                new ResumeOutcome.Refused(fault, errorResponse(fault), null)));
  }

  private static final String PERMIT = "permit(principal, action, resource);";
  private static final String FORBID = PERMIT + "forbid(principal, action, resource);";
  private static final Rule DEPLOY_ASKS = rule(2, "deploy", Action.APPROVE, "ops");

  private static HeldCall heldUnder(Rules rules) {
    return heldCall(
        HOLD.call(),
        HOLD.gateInput(),
        null,
        WORKFLOW,
        HOLD.approvalRequest().bound(),
        new GateChain(() -> 0).evaluate(HOLD.gateInput(), rules).rulings(),
        DEADLINE,
        HELD_UNTIL);
  }

  private static Rules rulesWithPolicy(String hash, String policy, @Nullable String workflow) {
    CedarPolicies cedarPolicies =
        switch (CedarPolicies.compile(List.of(new PolicyFile("p.cedar", policy)), null)) {
          case PolicyReading.Compiled(var compiled, _) -> compiled;
          case PolicyReading.Invalid invalid -> throw new AssertionError(invalid);
        };
    Rules plain =
        rules(
            hash,
            List.of(SOURCE),
            Action.FORWARD,
            List.of(WORKFLOW),
            rule(2, "deploy", Action.POLICY, workflow));
    return new Rules(
        hash,
        plain.sources(),
        plain.governance(),
        plain.workflows(),
        cedarPolicies,
        plain.inspectors(),
        plain.principals(),
        plain.operators(),
        plain.webhooks(),
        plain.redaction(),
        plain.recording(),
        plain.limits());
  }

  private static Source hiding() {
    return source("s", "", expose(Exposure.BLOCKLIST, "deploy"));
  }

  private static Source disabled() {
    return source("s", Kind.MCP, "", false, expose(Exposure.BLOCKLIST));
  }

  private static Source elsewhere() {
    return source("s", "s_", expose(Exposure.BLOCKLIST));
  }

  private static Rules later(List<Source> sources, Rule... rules) {
    ApprovalWorkflow law = new ApprovalWorkflow("law", "operator", 1, 1, OnTimeout.DENY, List.of());
    return rules("sha256:2", sources, Action.FORWARD, List.of(WORKFLOW, law), rules);
  }

  private static HeldCall hold(
      ApprovalWorkflow approvalWorkflow, Instant heldUntil, List<Ruling> rulings) {
    ReceiveCall call = call("deploy", RULES);
    return heldCall(
        call,
        gateInput("deploy"),
        null,
        approvalWorkflow,
        RECORDER.digest(ApprovalBinding.content(call, gateInput("deploy"), SOURCE)),
        rulings,
        DEADLINE,
        heldUntil);
  }

  private static ApprovalWorkflow workflow(OnTimeout onTimeout) {
    return new ApprovalWorkflow("ops", "operator", 600_000, 300_000, onTimeout, List.of());
  }

  private static Decision<ResumeOutcome> resumed(
      HeldCall heldCall, Instant at, CallEvent... after) {
    return resumed(heldCall, RULES, at, after);
  }

  private static Decision<ResumeOutcome> resumed(
      HeldCall heldCall, Rules now, Instant at, CallEvent... after) {
    return decider().decide(new ResumeCall(heldCall, now.hash(), at), state(heldCall, after), now);
  }

  private static ResumeDecider decider() {
    return decider(DIGESTS);
  }

  private static ResumeDecider decider(ContentDigests contentDigests) {
    return new ResumeDecider(new GateChain(() -> 0), INSPECTORS, contentDigests, TRANSLATOR);
  }

  private static CallState state(HeldCall heldCall, CallEvent... after) {
    return Stream.concat(
            Stream.of(received(heldCall.call(), "s", "deploy"), heldCall.approvalRequest()),
            Stream.of(after))
        .reduce(CallState.EMPTY, CallState::evolve, (_, last) -> last);
  }

  private static Decision<ResumeOutcome> forwarded(@Nullable String by, Event... before) {
    List<Event> events = new ArrayList<>(List.of(before));
    events.add(
        new CallAdmitted(
            CALL,
            "sha256:1",
            append(new Ruling.Approval(new Verdict.Pass(), "ops", CALL, by, 0)),
            GateChain.LOGIC_VERSION,
            null));
    events.add(FORWARDED);
    return new Decision<>(events, new ResumeOutcome.Forwarded(SOURCE));
  }

  private static Decision<ResumeOutcome> rejected() {
    return denied(
        "sha256:1",
        new Denied.ApprovalRejected("deploy", "ada", "too risky", "ops"),
        new Verdict.Deny(DenialReason.REJECTED, "too risky"),
        "ada",
        30_000);
  }

  private static Decision<ResumeOutcome> tooLate(long seconds, long totalMillis, Event... before) {
    return denied(
        "sha256:1",
        new Denied.ApprovalTimeout("deploy", seconds, "ops"),
        new Verdict.Deny(DenialReason.TIMED_OUT, null),
        null,
        totalMillis,
        before);
  }

  private static Decision<ResumeOutcome> denied(
      String rulesHash,
      Fault fault,
      Verdict.Deny verdict,
      @Nullable String by,
      long totalMillis,
      Event... before) {
    List<Event> events = new ArrayList<>(List.of(before));
    events.add(
        new GateDenied(
            CALL,
            rulesHash,
            "deploy",
            "ada",
            append(new Ruling.Approval(verdict, "ops", CALL, by, 0)),
            GateChain.LOGIC_VERSION,
            null));
    events.add(translated(fault, totalMillis));
    return new Decision<>(
        events, new ResumeOutcome.Refused(fault, errorResponse(fault), verdict.reason()));
  }

  private static Decision<ResumeOutcome> withheld(Fault fault) {
    return new Decision<>(
        List.of(translated(fault, 30_000)),
        new ResumeOutcome.Refused(fault, errorResponse(fault), null));
  }

  private static ErrorTranslated translated(Fault fault, long totalMillis) {
    return new ErrorTranslated(CALL, "deploy", fault, errorResponse(fault), 0, null, totalMillis);
  }

  private static List<Ruling> append(Ruling last) {
    return Stream.concat(RULINGS.stream(), Stream.of(last)).toList();
  }

  private static Arguments decided(
      String what, Decision<ResumeOutcome> decision, Decision<ResumeOutcome> expected) {
    return Arguments.of(what, decision, expected);
  }

  private static Arguments drifted(String what, Gate gate, Source source, Rule... rules) {
    return Arguments.of(what, gate, later(List.of(source), rules));
  }
}
