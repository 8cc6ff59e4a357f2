package gatebook.command.again;

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

import gatebook.command.gate.Gates;
import gatebook.command.receive.Aim;
import gatebook.command.receive.Judging;
import gatebook.command.receive.ReceiveCall;
import gatebook.command.receive.Receiving;
import gatebook.command.receive.Seats.Seating;
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

final class DecideAgainTest {

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
  private static final Gates GATES = new Gates(() -> NANOS.addAndGet(7_000));

  private static final DecideAgain AGAIN = new DecideAgain(new Judging(GATES, INSPECTIONS));

  private Seating seating = Seating.TAKEN;

  /** One of every kind of call that gates decide about. */
  enum Kind {
    FORWARDED(call("read", RULES), new Outcome.Forwarded("s")),
    NOTIFICATION(call(tool("read"), null, RULES), new Outcome.Forwarded("s")),
    HIDDEN(call("hidden", RULES), new Outcome.Denied(Gate.VISIBILITY, DenialReason.NOT_EXPOSED)),
    DROPPED(call("drop", RULES), new Outcome.Denied(Gate.GOVERNANCE, DenialReason.RULE)),
    NOT_PERMITTED(
        call("pay", RULES), new Outcome.Denied(Gate.POLICY, DenialReason.NO_POLICY_PERMITS)),
    HELD(call("deploy", RULES), new Outcome.Held("ops")),
    NOBODY_ASKED(
        call(tool("deploy"), null, RULES),
        new Outcome.Denied(Gate.APPROVAL, DenialReason.NOT_ASKED)),
    WITHOUT_WORKFLOW(
        call("orphaned", RULES),
        new Outcome.Denied(Gate.APPROVAL, DenialReason.WORKFLOW_NOT_FOUND)),
    WITHHELD(with(SECRET_ARGUMENTS, call("read", RULES)), new Outcome.Withheld("secrets"));

    @SuppressWarnings("ImmutableEnumChecker") // records all the way down
    private final ReceiveCall call;

    @SuppressWarnings("ImmutableEnumChecker") // a record
    private final Outcome outcome;

    Kind(ReceiveCall call, Outcome outcome) {
      this.call = call;
      this.outcome = outcome;
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatIsDecidedAgainComesToWhatIsRecorded(Kind kind) {
    Recorded recorded = Recorded.of(happened(decided(kind.call)));

    Decided again = again(recorded, kind.call.aim(), kind.call.arguments(), RULES);

    assertThat(again.outcome()).isEqualTo(kind.outcome);
    assertThat(recorded.undecided()).isNull();
    assertThat(recorded.decisions())
        .extracting(Recorded.Decision::outcome)
        .containsExactly(kind.outcome);
    assertThat(Difference.all(recorded.decisions().getFirst(), again)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(
      value = Seating.class,
      names = {"PRINCIPAL_FULL", "FULL"})
  void whetherThereWasASeatIsAFactAndNotDecidedAgain(Seating none) {
    seating = none;
    Recorded recorded = Recorded.of(happened(decided(Kind.HELD.call)));

    Decided again = again(recorded, Kind.HELD.call.aim(), null, RULES);

    assertThat(Difference.all(recorded.decisions().getFirst(), again)).isEmpty();
    assertThat(recorded.facts()).singleElement().asString().startsWith("seats: too many calls");
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

    Recorded recorded = Recorded.of(happened(events));

    assertThat(recorded.decisions())
        .extracting(Recorded.Decision::position, Recorded.Decision::rulesHash)
        .containsExactly(tuple(2L, "sha256:1"), tuple(4L, "sha256:2"));
    assertThat(recorded.decisions().getLast().at()).isEqualTo(NOON.plusMillis(4));
    assertThat(recorded.facts())
        .containsExactly(
            "approval: granted by eve", "source: s was asked", "source: answered with tool-error");
    Decided again = again(recorded, Kind.HELD.call.aim(), null, RULES);
    assertThat(recorded.decisions())
        .allSatisfy(decision -> assertThat(Difference.all(decision, again)).isEmpty());
  }

  @Test
  void aNoOfThePersonIsAFactAndTheGatesBeforeAreCompared() {
    List<CallEvent> events = new ArrayList<>(decided(Kind.HELD.call));
    Ruling byPerson =
        new Ruling.Approval(new Verdict.Deny(DenialReason.REJECTED, "no"), "ops", CALL, "eve", 0);
    events.add(new ApprovalRejected(CALL, CALL, null, "eve", "no", NOON.plusSeconds(5)));
    events.add(
        new GateDenied(CALL, "sha256:2", "deploy", "ada", and(rulings(Kind.HELD), byPerson)));

    Recorded recorded = Recorded.of(happened(events));

    assertThat(recorded.facts()).containsExactly("approval: rejected by eve");
    Decided again = again(recorded, Kind.HELD.call.aim(), null, RULES);
    assertThat(recorded.decisions())
        .hasSize(2)
        .allSatisfy(decision -> {
          assertThat(decision.rulesHash()).isEqualTo("sha256:1");
          assertThat(Difference.all(decision, again)).isEmpty();
        });
  }

  @Test
  void whyAnApprovedCallWasNotForwardedIsAFact() {
    List<CallEvent> events = new ArrayList<>(decided(Kind.HELD.call));
    events.add(new ApprovalGranted(CALL, CALL, null, null, null, NOON.plusSeconds(5)));
    events.add(
        failed(new Withheld.PolicyDrift("deploy", null, Gate.POLICY, "sha256:1", "sha256:2")));

    assertThat(Recorded.of(happened(events)).facts())
        .containsExactly(
            "approval: granted since nobody decided in time",
            "after the approval: policy ruled otherwise under the rules sha256:2");
  }

  @Test
  void whatTheSourceDidIsAFact() {
    List<CallEvent> events = new ArrayList<>(decided(Kind.FORWARDED.call));
    events.add(failed(new UpstreamFault.UpstreamTimeout("s", "http://h", 5)));

    assertThat(Recorded.of(happened(events)).facts())
        .containsExactly("source: s was asked", "source: UpstreamTimeout");
  }

  @Test
  void aVerdictThatWasEditedIsSaidToBeOtherAndWhere() {
    Ruling forged =
        new Ruling.Governance(new Verdict.Deny(DenialReason.RULE, null), Action.DENY, 9, "read", 0);
    List<CallEvent> events = new ArrayList<>(decided(Kind.FORWARDED.call).subList(0, 1));
    Ruling seen = rulings(Kind.FORWARDED).getFirst();
    events.add(new GateDenied(CALL, "sha256:1", "read", "ada", List.of(seen, forged)));

    Recorded.Decision recorded = Recorded.of(happened(events)).decisions().getFirst();
    Decided again = again(Kind.FORWARDED);

    assertThat(Difference.all(recorded, again))
        .containsExactly(
            new Difference.OfGate(2, Gate.GOVERNANCE, forged, again.rulings().getLast()));
  }

  @Test
  void aGateThatWasNotAskedDiffersFromOneThatWas() {
    Recorded.Decision hidden =
        Recorded.of(happened(decided(Kind.HIDDEN.call))).decisions().getFirst();
    Decided read = again(Kind.FORWARDED);

    assertThat(Difference.ofVerdicts(hidden, read))
        .extracting(
            it -> ((Difference.OfGate) it).gate(), it -> ((Difference.OfGate) it).recorded())
        .containsExactly(
            tuple(Gate.VISIBILITY, hidden.rulings().getFirst()), tuple(Gate.GOVERNANCE, null));
  }

  @Test
  void anotherPlaceInTheFileIsAnotherBasisAndTheSameVerdict() {
    Rules moved = inspecting(rules(List.of(SOURCE), rule(7, "drop", Action.DENY, null)));
    Recorded recorded = Recorded.of(happened(decided(Kind.DROPPED.call)));

    Decided again = again(recorded, Kind.DROPPED.call.aim(), null, moved);

    assertThat(Difference.all(recorded.decisions().getFirst(), again)).hasSize(1);
    assertThat(Difference.ofVerdicts(recorded.decisions().getFirst(), again)).isEmpty();
  }

  @Test
  void anotherSourceOrInspectorIsADifferenceThoughEveryGateRulesTheSame() {
    Rules elsewhere = rules(List.of(source("t", "", expose(Exposure.BLOCKLIST, "hidden"))));
    Recorded.Decision recorded =
        Recorded.of(happened(decided(Kind.FORWARDED.call))).decisions().getFirst();
    Decided again =
        AGAIN.decide(
            DecideAgain.command(
                received(Kind.FORWARDED), tool("read"), null, null, NOON, elsewhere));

    assertThat(Difference.all(recorded, again))
        .containsExactly(
            new Difference.OfOutcome(2, new Outcome.Forwarded("s"), new Outcome.Forwarded("t")));
  }

  @Test
  void whatWasRefusedBeforeTheGatesHasNothingToDecideAgain() {
    Fault fault = new Misdirected.MethodNotFound("tools/dance");

    Recorded refused = Recorded.of(happened(decided(call(new Aim.Unservable(fault), "1", RULES))));
    Recorded ours = Recorded.of(happened(decided(call(new Aim.Ask(), "1", RULES))));

    assertThat(refused.undecided())
        .isEqualTo("no gate was asked about it: it was refused before, with MethodNotFound");
    assertThat(ours.undecided()).isEqualTo("no gate governs it: it is answered here");
    assertThat(Recorded.of(List.of()).undecided())
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
                    Recorded.of(happened(decided(Kind.FORWARDED.call))),
                    tool("read"),
                    null,
                    uninspected)
                .byArguments())
        .isFalse();
  }

  private Decided again(Kind kind) {
    return again(
        Recorded.of(happened(decided(kind.call))), kind.call.aim(), kind.call.arguments(), RULES);
  }

  private static Decided again(
      Recorded recorded, Aim aim, @Nullable String arguments, Rules rules) {
    CallReceived received = Objects.requireNonNull(recorded.received());
    return AGAIN.decide(DecideAgain.command(received, aim, null, arguments, NOON, rules));
  }

  private CallReceived received(Kind kind) {
    return (CallReceived) decided(kind.call).getFirst();
  }

  private List<Ruling> rulings(Kind kind) {
    return Recorded.of(happened(decided(kind.call))).decisions().getFirst().rulings();
  }

  private static List<Ruling> and(List<Ruling> rulings, Ruling last) {
    return Stream.concat(rulings.stream(), Stream.of(last)).toList();
  }

  private static ErrorTranslated failed(Fault fault) {
    return new ErrorTranslated(CALL, "read", fault, told(fault), 1, 2L, 3);
  }

  /** Each a millisecond after the one before. */
  private static List<Happened> happened(List<CallEvent> events) {
    List<Happened> happened = new ArrayList<>();
    for (CallEvent event : events) {
      long position = happened.size() + 1L;
      happened.add(new Happened(position, NOON.plusMillis(position), event));
    }
    return happened;
  }

  private List<CallEvent> decided(ReceiveCall call) {
    Receiving receiving =
        new Receiving(GATES, INSPECTIONS, (_, _, _) -> seating, KEEPERS, TELLING, CLOCK);
    List<CallEvent> events = new ArrayList<>();
    for (Event event : receiving.decide(call).events()) {
      events.add((CallEvent) event);
    }
    return events;
  }
}
