package gatebook.command.redecide;

import static gatebook.command.GivenCall.CALL;
import static gatebook.command.GivenCall.CLOCK;
import static gatebook.command.GivenCall.DIGESTS;
import static gatebook.command.GivenCall.INSPECTORS;
import static gatebook.command.GivenCall.NOON;
import static gatebook.command.GivenCall.RECORDER;
import static gatebook.command.GivenCall.RECORDERS;
import static gatebook.command.GivenCall.SECRET_ARGUMENTS;
import static gatebook.command.GivenCall.TRANSLATOR;
import static gatebook.command.GivenCall.call;
import static gatebook.command.GivenCall.errorResponse;
import static gatebook.command.GivenCall.tool;
import static gatebook.command.GivenCall.withArguments;
import static gatebook.command.GivenCall.withInspectors;
import static gatebook.command.GivenSources.expose;
import static gatebook.command.GivenSources.rule;
import static gatebook.command.GivenSources.rules;
import static gatebook.command.GivenSources.source;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import gatebook.command.call.CallEvaluation;
import gatebook.command.call.CallQuotas.QuotaResult;
import gatebook.command.call.Intent;
import gatebook.command.call.ReceiveCall;
import gatebook.command.call.handler.ReceiveDecider;
import gatebook.command.gate.GateChain;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.events.ApprovalGranted;
import gatebook.events.ApprovalRejected;
import gatebook.events.CallAdmitted;
import gatebook.events.CallAnswered;
import gatebook.events.CallEvent;
import gatebook.events.CallForwarded;
import gatebook.events.CallReceived;
import gatebook.events.ErrorTranslated;
import gatebook.events.Event;
import gatebook.events.GateDenied;
import gatebook.events.call.Action;
import gatebook.events.call.DenialReason;
import gatebook.events.call.Exposure;
import gatebook.events.call.Gate;
import gatebook.events.call.Ruling;
import gatebook.events.call.Verdict;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Misdirected;
import gatebook.events.fault.UpstreamFault;
import gatebook.events.fault.Withheld;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

final class CallRedecisionTest {

  private static final Source SOURCE = source("s", "", expose(Exposure.BLOCKLIST, "hidden"));
  private static final Rules RULES =
      withInspectors(
          rules(
              List.of(SOURCE),
              rule(1, "drop", Action.DENY, null),
              rule(2, "deploy", Action.APPROVE, "ops"),
              rule(3, "orphaned", Action.APPROVE, "gone"),
              rule(4, "pay", Action.POLICY, null)));

  private static final AtomicLong NANOS = new AtomicLong();

  /** The gates rule the same however long they take. */
  private static final GateChain GATES = new GateChain(() -> NANOS.addAndGet(7_000));

  private static final CallRedecision REDECISION =
      new CallRedecision(new CallEvaluation(GATES, INSPECTORS));

  private QuotaResult quotaResult = QuotaResult.TAKEN;

  /** One call of every kind that gates decide about. */
  enum Kind {
    FORWARDED(call("read", RULES), new DecisionOutcome.Forwarded("s")),
    NOTIFICATION(call(tool("read"), null, RULES), new DecisionOutcome.Forwarded("s")),
    HIDDEN(
        call("hidden", RULES),
        new DecisionOutcome.Denied(Gate.VISIBILITY, DenialReason.NOT_EXPOSED)),
    HIDDEN_BY_ANOTHER_SPELLING(
        call("x/../HIDDEN", RULES),
        new DecisionOutcome.Denied(Gate.VISIBILITY, DenialReason.NOT_EXPOSED)),
    HELD_BY_ANOTHER_SPELLING(call("de%70loy", RULES), new DecisionOutcome.Held("ops")),
    DROPPED(call("drop", RULES), new DecisionOutcome.Denied(Gate.GOVERNANCE, DenialReason.RULE)),
    NOT_PERMITTED(
        call("pay", RULES),
        new DecisionOutcome.Denied(Gate.POLICY, DenialReason.NO_POLICY_PERMITS)),
    HELD(call("deploy", RULES), new DecisionOutcome.Held("ops")),
    NOT_ASKED(
        call(tool("deploy"), null, RULES),
        new DecisionOutcome.Denied(Gate.APPROVAL, DenialReason.NOT_ASKED)),
    WITHOUT_WORKFLOW(
        call("orphaned", RULES),
        new DecisionOutcome.Denied(Gate.APPROVAL, DenialReason.WORKFLOW_NOT_FOUND)),
    WITHHELD(
        withArguments(SECRET_ARGUMENTS, call("read", RULES)),
        new DecisionOutcome.Withheld("secrets"));

    @SuppressWarnings("ImmutableEnumChecker") // contains only records
    private final ReceiveCall call;

    @SuppressWarnings("ImmutableEnumChecker") // a record
    private final DecisionOutcome decisionOutcome;

    Kind(ReceiveCall call, DecisionOutcome decisionOutcome) {
      this.call = call;
      this.decisionOutcome = decisionOutcome;
    }
  }

  @ParameterizedTest
  @EnumSource
  void aRedecisionEqualsTheRecordedDecision(Kind kind) {
    RecordedCall recordedCall = RecordedCall.of(recorded(events(kind.call)));

    Redecision redecision =
        redecide(recordedCall, kind.call.intent(), kind.call.arguments(), RULES);

    assertThat(redecision.outcome()).isEqualTo(kind.decisionOutcome);
    assertThat(recordedCall.undecided()).isNull();
    assertThat(recordedCall.decisions())
        .extracting(RecordedCall.RecordedDecision::outcome)
        .containsExactly(kind.decisionOutcome);
    assertThat(DecisionDifference.all(recordedCall.decisions().getFirst(), redecision)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "CONCURRENCY, quota: too many calls ran at the same time",
    "RATE, quota: the rate was reached",
    "BUDGET, quota: the calls of the day were used up"
  })
  void aUsedUpQuotaIsAFactThatNamesItsLimit(Misdirected.Limit limit, String fact) {
    quotaResult = new QuotaResult.UsedUp(new Misdirected.RateLimited(limit, null));
    RecordedCall recordedCall = RecordedCall.of(recorded(events(Kind.FORWARDED.call)));

    Redecision redecision = redecide(recordedCall, Kind.FORWARDED.call.intent(), null, RULES);

    assertThat(DecisionDifference.all(recordedCall.decisions().getFirst(), redecision)).isEmpty();
    assertThat(recordedCall.facts()).containsExactly(fact);
  }

  static List<QuotaResult> holdsFull() {
    return List.of(QuotaResult.PRINCIPAL_FULL, QuotaResult.FULL);
  }

  @ParameterizedTest
  @MethodSource("holdsFull")
  void aFullQuotaIsAFact(QuotaResult none) {
    quotaResult = none;
    RecordedCall recordedCall = RecordedCall.of(recorded(events(Kind.HELD.call)));

    Redecision redecision = redecide(recordedCall, Kind.HELD.call.intent(), null, RULES);

    assertThat(DecisionDifference.all(recordedCall.decisions().getFirst(), redecision)).isEmpty();
    assertThat(recordedCall.facts())
        .singleElement()
        .asString()
        .startsWith("hold quota: too many calls");
  }

  @Test
  void approvalAndAnswerAreFacts() {
    List<CallEvent> events = new ArrayList<>(events(Kind.HELD.call));
    Ruling byPerson = new Ruling.Approval(new Verdict.Pass(), "ops", CALL, "eve", 0);
    events.add(new ApprovalGranted(CALL, CALL, null, "eve", null, NOON.plusSeconds(5)));
    events.add(new CallAdmitted(CALL, "sha256:2", append(rulings(Kind.HELD), byPerson)));
    events.add(new CallForwarded(CALL, 1, "s", "http://h", 1, null));
    events.add(
        new CallAnswered(
            CALL, CallAnswered.Outcome.TOOL_ERROR, RECORDER.keepResult("{}"), 1, 2L, 3));

    RecordedCall recordedCall = RecordedCall.of(recorded(events));

    assertThat(recordedCall.decisions())
        .extracting(
            RecordedCall.RecordedDecision::position, RecordedCall.RecordedDecision::rulesHash)
        .containsExactly(tuple(2L, "sha256:1"), tuple(4L, "sha256:2"));
    assertThat(recordedCall.decisions().getLast().at()).isEqualTo(NOON.plusMillis(4));
    assertThat(recordedCall.facts())
        .containsExactly(
            "approval: granted by eve", "source: s was asked", "source: answered with tool-error");
    Redecision redecision = redecide(recordedCall, Kind.HELD.call.intent(), null, RULES);
    assertThat(recordedCall.decisions())
        .allSatisfy(recordedDecision ->
            assertThat(DecisionDifference.all(recordedDecision, redecision)).isEmpty());
  }

  @Test
  void aRejectionIsAFact() {
    List<CallEvent> events = new ArrayList<>(events(Kind.HELD.call));
    Ruling byPerson =
        new Ruling.Approval(new Verdict.Deny(DenialReason.REJECTED, "no"), "ops", CALL, "eve", 0);
    events.add(new ApprovalRejected(CALL, CALL, null, "eve", "no", NOON.plusSeconds(5)));
    events.add(
        new GateDenied(CALL, "sha256:2", "deploy", "ada", append(rulings(Kind.HELD), byPerson)));

    RecordedCall recordedCall = RecordedCall.of(recorded(events));

    assertThat(recordedCall.facts()).containsExactly("approval: rejected by eve");
    Redecision redecision = redecide(recordedCall, Kind.HELD.call.intent(), null, RULES);
    assertThat(recordedCall.decisions())
        .hasSize(2)
        .allSatisfy(recordedDecision -> {
          assertThat(recordedDecision.rulesHash()).isEqualTo("sha256:1");
          assertThat(DecisionDifference.all(recordedDecision, redecision)).isEmpty();
        });
  }

  @Test
  void theReasonForNotForwardingIsAFact() {
    List<CallEvent> events = new ArrayList<>(events(Kind.HELD.call));
    events.add(new ApprovalGranted(CALL, CALL, null, null, null, NOON.plusSeconds(5)));
    events.add(
        failed(new Withheld.PolicyDrift("deploy", null, Gate.POLICY, "sha256:1", "sha256:2")));

    assertThat(RecordedCall.of(recorded(events)).facts())
        .containsExactly(
            "approval: granted since no operator decided in time",
            "after the approval: policy ruled otherwise under the rules sha256:2");
  }

  @Test
  void aSourcesFailureIsAFact() {
    List<CallEvent> events = new ArrayList<>(events(Kind.FORWARDED.call));
    events.add(failed(new UpstreamFault.UpstreamTimeout("s", "http://h", 5)));

    assertThat(RecordedCall.of(recorded(events)).facts())
        .containsExactly("source: s was asked", "source: UpstreamTimeout");
  }

  @Test
  void aForgedVerdictIsReportedWithItsPosition() {
    Ruling forged =
        new Ruling.Governance(new Verdict.Deny(DenialReason.RULE, null), Action.DENY, 9, "read", 0);
    List<CallEvent> events = new ArrayList<>(events(Kind.FORWARDED.call).subList(0, 1));
    Ruling seen = rulings(Kind.FORWARDED).getFirst();
    events.add(new GateDenied(CALL, "sha256:1", "read", "ada", List.of(seen, forged)));

    RecordedCall.RecordedDecision recorded =
        RecordedCall.of(recorded(events)).decisions().getFirst();
    Redecision redecision = redecide(Kind.FORWARDED);

    assertThat(DecisionDifference.all(recorded, redecision))
        .containsExactly(
            new DecisionDifference.GateDifference(
                2, Gate.GOVERNANCE, forged, redecision.rulings().getLast()));
  }

  @Test
  void aGateThatWasNotAskedDiffers() {
    RecordedCall.RecordedDecision hidden =
        RecordedCall.of(recorded(events(Kind.HIDDEN.call))).decisions().getFirst();
    Redecision read = redecide(Kind.FORWARDED);

    assertThat(DecisionDifference.ofVerdicts(hidden, read))
        .extracting(
            it -> ((DecisionDifference.GateDifference) it).gate(),
            it -> ((DecisionDifference.GateDifference) it).recorded())
        .containsExactly(
            tuple(Gate.VISIBILITY, hidden.rulings().getFirst()), tuple(Gate.GOVERNANCE, null));
  }

  @Test
  void aMovedRuleIsADifferenceButNotOfVerdicts() {
    Rules moved = withInspectors(rules(List.of(SOURCE), rule(7, "drop", Action.DENY, null)));
    RecordedCall recordedCall = RecordedCall.of(recorded(events(Kind.DROPPED.call)));

    Redecision redecision = redecide(recordedCall, Kind.DROPPED.call.intent(), null, moved);

    assertThat(DecisionDifference.all(recordedCall.decisions().getFirst(), redecision)).hasSize(1);
    assertThat(DecisionDifference.ofVerdicts(recordedCall.decisions().getFirst(), redecision))
        .isEmpty();
  }

  @Test
  void anotherSourceIsADifferenceOfOutcome() {
    Rules elsewhere = rules(List.of(source("t", "", expose(Exposure.BLOCKLIST, "hidden"))));
    RecordedCall.RecordedDecision recorded =
        RecordedCall.of(recorded(events(Kind.FORWARDED.call))).decisions().getFirst();
    CallReceived received = received(Kind.FORWARDED);
    Redecision redecision =
        REDECISION.decide(
            CallRedecision.receiveCommand(
                received, received.principal(), tool("read"), null, null, NOON, elsewhere),
            elsewhere);

    assertThat(DecisionDifference.all(recorded, redecision))
        .containsExactly(
            new DecisionDifference.OutcomeDifference(
                2, new DecisionOutcome.Forwarded("s"), new DecisionOutcome.Forwarded("t")));
  }

  @Test
  void aCallWithoutADecisionSaysWhy() {
    Fault fault = new Misdirected.MethodNotFound("tools/dance");

    RecordedCall refused =
        RecordedCall.of(recorded(events(call(new Intent.Unservable(fault), "1", RULES))));
    RecordedCall answeredHere =
        RecordedCall.of(recorded(events(call(new Intent.AnswerHere(), "1", RULES))));

    assertThat(refused.undecided())
        .isEqualTo("no gate was asked about it: it was refused before, with MethodNotFound");
    assertThat(answeredHere.undecided()).isEqualTo("no gate governs it: it is answered here");
    assertThat(RecordedCall.of(List.of()).undecided()).isEqualTo("its receipt is not recorded");
  }

  @Test
  void onlyPoliciesAndInspectorsReadArguments() {
    assertThat(Stream.of(Kind.values()).filter(kind -> redecide(kind).readsArguments()))
        .containsExactly(
            Kind.FORWARDED,
            Kind.NOTIFICATION,
            Kind.HELD_BY_ANOTHER_SPELLING,
            Kind.NOT_PERMITTED,
            Kind.HELD,
            Kind.WITHHELD);
    Rules uninspected = rules(List.of(SOURCE));
    assertThat(
            redecide(
                    RecordedCall.of(recorded(events(Kind.FORWARDED.call))),
                    tool("read"),
                    null,
                    uninspected)
                .readsArguments())
        .isFalse();
  }

  private Redecision redecide(Kind kind) {
    return redecide(
        RecordedCall.of(recorded(events(kind.call))),
        kind.call.intent(),
        kind.call.arguments(),
        RULES);
  }

  private static Redecision redecide(
      RecordedCall recordedCall, Intent intent, @Nullable String arguments, Rules rules) {
    CallReceived received = Objects.requireNonNull(recordedCall.received());
    return REDECISION.decide(
        CallRedecision.receiveCommand(
            received, received.principal(), intent, null, arguments, NOON, rules),
        rules);
  }

  private CallReceived received(Kind kind) {
    return (CallReceived) events(kind.call).getFirst();
  }

  private List<Ruling> rulings(Kind kind) {
    return RecordedCall.of(recorded(events(kind.call))).decisions().getFirst().rulings();
  }

  private static List<Ruling> append(List<Ruling> rulings, Ruling last) {
    return Stream.concat(rulings.stream(), Stream.of(last)).toList();
  }

  private static ErrorTranslated failed(Fault fault) {
    return new ErrorTranslated(CALL, "read", fault, errorResponse(fault), 1, 2L, 3);
  }

  /** Recorded events, each a millisecond after the previous one. */
  private static List<RecordedEvent> recorded(List<CallEvent> events) {
    List<RecordedEvent> recorded = new ArrayList<>();
    for (CallEvent event : events) {
      long position = recorded.size() + 1L;
      recorded.add(new RecordedEvent(position, NOON.plusMillis(position), event));
    }
    return recorded;
  }

  private List<CallEvent> events(ReceiveCall call) {
    ReceiveDecider receiveDecider =
        new ReceiveDecider(GATES, INSPECTORS, INSPECTORS, RECORDERS, DIGESTS, TRANSLATOR, CLOCK);
    List<CallEvent> events = new ArrayList<>();
    for (Event event : receiveDecider.decide(call, RULES, quotaResult).events()) {
      events.add((CallEvent) event);
    }
    return events;
  }
}
