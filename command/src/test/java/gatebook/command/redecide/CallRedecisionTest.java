package gatebook.command.redecide;

import static gatebook.command.Given.expose;
import static gatebook.command.Given.rule;
import static gatebook.command.Given.rules;
import static gatebook.command.Given.source;
import static gatebook.command.GivenCall.CALL;
import static gatebook.command.GivenCall.CLOCK;
import static gatebook.command.GivenCall.INSPECTIONS;
import static gatebook.command.GivenCall.KEEPERS;
import static gatebook.command.GivenCall.NOON;
import static gatebook.command.GivenCall.SECRET_ARGUMENTS;
import static gatebook.command.GivenCall.TELLING;
import static gatebook.command.GivenCall.call;
import static gatebook.command.GivenCall.inspecting;
import static gatebook.command.GivenCall.told;
import static gatebook.command.GivenCall.tool;
import static gatebook.command.GivenCall.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import gatebook.command.call.CallEvaluation;
import gatebook.command.call.HoldQuota.Seating;
import gatebook.command.call.Intent;
import gatebook.command.call.ReceiveCall;
import gatebook.command.call.ReceiveDecider;
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
import org.junit.jupiter.params.provider.EnumSource;

final class CallRedecisionTest {

  private static final Source SOURCE = source("s", "", expose(Exposure.BLOCKLIST, "hidden"));
  private static final Rules RULES =
      inspecting(
          rules(
              List.of(SOURCE),
              rule(1, "drop", Action.DENY, null),
              rule(2, "deploy", Action.APPROVE, "ops"),
              rule(3, "orphaned", Action.APPROVE, "gone"),
              rule(4, "pay", Action.POLICY, null)));

  private static final AtomicLong NANOS = new AtomicLong();

  /** However long the gates take, they rule the same. */
  private static final GateChain GATES = new GateChain(() -> NANOS.addAndGet(7_000));

  private static final CallRedecision AGAIN =
      new CallRedecision(new CallEvaluation(GATES, INSPECTIONS));

  private Seating seating = Seating.TAKEN;

  /** One of every kind of call that gates decide about. */
  enum Kind {
    FORWARDED(call("read", RULES), new DecisionOutcome.Forwarded("s")),
    NOTIFICATION(call(tool("read"), null, RULES), new DecisionOutcome.Forwarded("s")),
    HIDDEN(
        call("hidden", RULES),
        new DecisionOutcome.Denied(Gate.VISIBILITY, DenialReason.NOT_EXPOSED)),
    DROPPED(call("drop", RULES), new DecisionOutcome.Denied(Gate.GOVERNANCE, DenialReason.RULE)),
    NOT_PERMITTED(
        call("pay", RULES),
        new DecisionOutcome.Denied(Gate.POLICY, DenialReason.NO_POLICY_PERMITS)),
    HELD(call("deploy", RULES), new DecisionOutcome.Held("ops")),
    NOBODY_ASKED(
        call(tool("deploy"), null, RULES),
        new DecisionOutcome.Denied(Gate.APPROVAL, DenialReason.NOT_ASKED)),
    WITHOUT_WORKFLOW(
        call("orphaned", RULES),
        new DecisionOutcome.Denied(Gate.APPROVAL, DenialReason.WORKFLOW_NOT_FOUND)),
    WITHHELD(with(SECRET_ARGUMENTS, call("read", RULES)), new DecisionOutcome.Withheld("secrets"));

    @SuppressWarnings("ImmutableEnumChecker") // records all the way down
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
  void whatIsDecidedAgainComesToWhatIsRecorded(Kind kind) {
    RecordedCall recordedCall = RecordedCall.of(happened(decided(kind.call)));

    Redecision again = again(recordedCall, kind.call.aim(), kind.call.arguments(), RULES);

    assertThat(again.outcome()).isEqualTo(kind.decisionOutcome);
    assertThat(recordedCall.undecided()).isNull();
    assertThat(recordedCall.decisions())
        .extracting(RecordedCall.Decision::outcome)
        .containsExactly(kind.decisionOutcome);
    assertThat(DecisionDifference.all(recordedCall.decisions().getFirst(), again)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(
      value = Seating.class,
      names = {"PRINCIPAL_FULL", "FULL"})
  void whetherThereWasASeatIsAFactAndNotDecidedAgain(Seating none) {
    seating = none;
    RecordedCall recordedCall = RecordedCall.of(happened(decided(Kind.HELD.call)));

    Redecision again = again(recordedCall, Kind.HELD.call.aim(), null, RULES);

    assertThat(DecisionDifference.all(recordedCall.decisions().getFirst(), again)).isEmpty();
    assertThat(recordedCall.facts()).singleElement().asString().startsWith("seats: too many calls");
  }

  @Test
  void whatThePersonAndTheSourceSaidAreFactsAndTheGatesAreComparedBothTimes() {
    List<CallEvent> events = new ArrayList<>(decided(Kind.HELD.call));
    Ruling byPerson = new Ruling.Approval(new Verdict.Pass(), "ops", CALL, "eve", 0);
    events.add(new ApprovalGranted(CALL, CALL, null, "eve", null, NOON.plusSeconds(5)));
    events.add(new CallAdmitted(CALL, "sha256:2", and(rulings(Kind.HELD), byPerson)));
    events.add(new CallForwarded(CALL, 1, "s", "http://h", 1, null));
    events.add(
        new CallAnswered(
            CALL, CallAnswered.Outcome.TOOL_ERROR, KEEPERS.of(RULES).keepResult("{}"), 1, 2L, 3));

    RecordedCall recordedCall = RecordedCall.of(happened(events));

    assertThat(recordedCall.decisions())
        .extracting(RecordedCall.Decision::position, RecordedCall.Decision::rulesHash)
        .containsExactly(tuple(2L, "sha256:1"), tuple(4L, "sha256:2"));
    assertThat(recordedCall.decisions().getLast().at()).isEqualTo(NOON.plusMillis(4));
    assertThat(recordedCall.facts())
        .containsExactly(
            "approval: granted by eve", "source: s was asked", "source: answered with tool-error");
    Redecision again = again(recordedCall, Kind.HELD.call.aim(), null, RULES);
    assertThat(recordedCall.decisions())
        .allSatisfy(decision -> assertThat(DecisionDifference.all(decision, again)).isEmpty());
  }

  @Test
  void aNoOfThePersonIsAFactAndTheGatesBeforeAreCompared() {
    List<CallEvent> events = new ArrayList<>(decided(Kind.HELD.call));
    Ruling byPerson =
        new Ruling.Approval(new Verdict.Deny(DenialReason.REJECTED, "no"), "ops", CALL, "eve", 0);
    events.add(new ApprovalRejected(CALL, CALL, null, "eve", "no", NOON.plusSeconds(5)));
    events.add(
        new GateDenied(CALL, "sha256:2", "deploy", "ada", and(rulings(Kind.HELD), byPerson)));

    RecordedCall recordedCall = RecordedCall.of(happened(events));

    assertThat(recordedCall.facts()).containsExactly("approval: rejected by eve");
    Redecision again = again(recordedCall, Kind.HELD.call.aim(), null, RULES);
    assertThat(recordedCall.decisions())
        .hasSize(2)
        .allSatisfy(decision -> {
          assertThat(decision.rulesHash()).isEqualTo("sha256:1");
          assertThat(DecisionDifference.all(decision, again)).isEmpty();
        });
  }

  @Test
  void whyAnApprovedCallWasNotForwardedIsAFact() {
    List<CallEvent> events = new ArrayList<>(decided(Kind.HELD.call));
    events.add(new ApprovalGranted(CALL, CALL, null, null, null, NOON.plusSeconds(5)));
    events.add(
        failed(new Withheld.PolicyDrift("deploy", null, Gate.POLICY, "sha256:1", "sha256:2")));

    assertThat(RecordedCall.of(happened(events)).facts())
        .containsExactly(
            "approval: granted since nobody decided in time",
            "after the approval: policy ruled otherwise under the rules sha256:2");
  }

  @Test
  void whatTheSourceDidIsAFact() {
    List<CallEvent> events = new ArrayList<>(decided(Kind.FORWARDED.call));
    events.add(failed(new UpstreamFault.UpstreamTimeout("s", "http://h", 5)));

    assertThat(RecordedCall.of(happened(events)).facts())
        .containsExactly("source: s was asked", "source: UpstreamTimeout");
  }

  @Test
  void aVerdictThatWasEditedIsSaidToBeOtherAndWhere() {
    Ruling forged =
        new Ruling.Governance(new Verdict.Deny(DenialReason.RULE, null), Action.DENY, 9, "read", 0);
    List<CallEvent> events = new ArrayList<>(decided(Kind.FORWARDED.call).subList(0, 1));
    Ruling seen = rulings(Kind.FORWARDED).getFirst();
    events.add(new GateDenied(CALL, "sha256:1", "read", "ada", List.of(seen, forged)));

    RecordedCall.Decision recorded = RecordedCall.of(happened(events)).decisions().getFirst();
    Redecision again = again(Kind.FORWARDED);

    assertThat(DecisionDifference.all(recorded, again))
        .containsExactly(
            new DecisionDifference.OfGate(2, Gate.GOVERNANCE, forged, again.rulings().getLast()));
  }

  @Test
  void aGateThatWasNotAskedDiffersFromOneThatWas() {
    RecordedCall.Decision hidden =
        RecordedCall.of(happened(decided(Kind.HIDDEN.call))).decisions().getFirst();
    Redecision read = again(Kind.FORWARDED);

    assertThat(DecisionDifference.ofVerdicts(hidden, read))
        .extracting(
            it -> ((DecisionDifference.OfGate) it).gate(),
            it -> ((DecisionDifference.OfGate) it).recorded())
        .containsExactly(
            tuple(Gate.VISIBILITY, hidden.rulings().getFirst()), tuple(Gate.GOVERNANCE, null));
  }

  @Test
  void anotherPlaceInTheFileIsAnotherBasisAndTheSameVerdict() {
    Rules moved = inspecting(rules(List.of(SOURCE), rule(7, "drop", Action.DENY, null)));
    RecordedCall recordedCall = RecordedCall.of(happened(decided(Kind.DROPPED.call)));

    Redecision again = again(recordedCall, Kind.DROPPED.call.aim(), null, moved);

    assertThat(DecisionDifference.all(recordedCall.decisions().getFirst(), again)).hasSize(1);
    assertThat(DecisionDifference.ofVerdicts(recordedCall.decisions().getFirst(), again)).isEmpty();
  }

  @Test
  void anotherSourceOrInspectorIsADifferenceThoughEveryGateRulesTheSame() {
    Rules elsewhere = rules(List.of(source("t", "", expose(Exposure.BLOCKLIST, "hidden"))));
    RecordedCall.Decision recorded =
        RecordedCall.of(happened(decided(Kind.FORWARDED.call))).decisions().getFirst();
    Redecision again =
        AGAIN.decide(
            CallRedecision.command(
                received(Kind.FORWARDED), tool("read"), null, null, NOON, elsewhere));

    assertThat(DecisionDifference.all(recorded, again))
        .containsExactly(
            new DecisionDifference.OfOutcome(
                2, new DecisionOutcome.Forwarded("s"), new DecisionOutcome.Forwarded("t")));
  }

  @Test
  void whatWasRefusedBeforeTheGatesHasNothingToDecideAgain() {
    Fault fault = new Misdirected.MethodNotFound("tools/dance");

    RecordedCall refused =
        RecordedCall.of(happened(decided(call(new Intent.Unservable(fault), "1", RULES))));
    RecordedCall ours = RecordedCall.of(happened(decided(call(new Intent.Ask(), "1", RULES))));

    assertThat(refused.undecided())
        .isEqualTo("no gate was asked about it: it was refused before, with MethodNotFound");
    assertThat(ours.undecided()).isEqualTo("no gate governs it: it is answered here");
    assertThat(RecordedCall.of(List.of()).undecided())
        .isEqualTo("nothing is recorded of its coming in");
  }

  @Test
  void onlyPoliciesAndInspectorsLookAtArguments() {
    assertThat(Stream.of(Kind.values()).filter(kind -> again(kind).byArguments()))
        .containsExactly(
            Kind.FORWARDED, Kind.NOTIFICATION, Kind.NOT_PERMITTED, Kind.HELD, Kind.WITHHELD);
    Rules uninspected = rules(List.of(SOURCE));
    assertThat(
            again(
                    RecordedCall.of(happened(decided(Kind.FORWARDED.call))),
                    tool("read"),
                    null,
                    uninspected)
                .byArguments())
        .isFalse();
  }

  private Redecision again(Kind kind) {
    return again(
        RecordedCall.of(happened(decided(kind.call))),
        kind.call.aim(),
        kind.call.arguments(),
        RULES);
  }

  private static Redecision again(
      RecordedCall recordedCall, Intent intent, @Nullable String arguments, Rules rules) {
    CallReceived received = Objects.requireNonNull(recordedCall.received());
    return AGAIN.decide(CallRedecision.command(received, intent, null, arguments, NOON, rules));
  }

  private CallReceived received(Kind kind) {
    return (CallReceived) decided(kind.call).getFirst();
  }

  private List<Ruling> rulings(Kind kind) {
    return RecordedCall.of(happened(decided(kind.call))).decisions().getFirst().rulings();
  }

  private static List<Ruling> and(List<Ruling> rulings, Ruling last) {
    return Stream.concat(rulings.stream(), Stream.of(last)).toList();
  }

  private static ErrorTranslated failed(Fault fault) {
    return new ErrorTranslated(CALL, "read", fault, told(fault), 1, 2L, 3);
  }

  /** Each a millisecond after the one before. */
  private static List<RecordedEvent> happened(List<CallEvent> events) {
    List<RecordedEvent> happened = new ArrayList<>();
    for (CallEvent event : events) {
      long position = happened.size() + 1L;
      happened.add(new RecordedEvent(position, NOON.plusMillis(position), event));
    }
    return happened;
  }

  private List<CallEvent> decided(ReceiveCall call) {
    ReceiveDecider receiveDecider =
        new ReceiveDecider(GATES, INSPECTIONS, (_, _, _) -> seating, KEEPERS, TELLING, CLOCK);
    List<CallEvent> events = new ArrayList<>();
    for (Event event : receiveDecider.decide(call).events()) {
      events.add((CallEvent) event);
    }
    return events;
  }
}
