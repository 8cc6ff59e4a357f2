package gatebook.api.operator.redecide;

import gatebook.api.mcp.ListAggregator;
import gatebook.api.operator.redecide.RecordedRules.Search;
import gatebook.command.call.DialectVersion;
import gatebook.command.gate.GateChain;
import gatebook.command.redecide.CallChange;
import gatebook.command.redecide.DecisionDifference;
import gatebook.command.redecide.DecisionOutcome;
import gatebook.command.redecide.RecordedCall;
import gatebook.command.redecide.RecordedCall.RecordedDecision;
import gatebook.command.redecide.Redecision;
import gatebook.command.redecide.Resolution;
import gatebook.command.redecide.Resolution.Answer;
import gatebook.command.redecide.Resolution.Effect;
import gatebook.command.rules.Rules;
import gatebook.events.CallReceived;
import gatebook.events.call.ErrorResponse;
import gatebook.events.fault.Fault;
import gatebook.events.fault.TaskFault;
import gatebook.events.vocabulary.ContentState;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Compares what became of recorded calls with what becomes of them under a candidate for the rules.
 * The rules that decided a call decide it again, too: that must change nothing.
 */
public final class CandidateComparison {

  private static final NotRedecidable SOURCE_LIST =
      new NotRedecidable(
          "source-list", "a list of then decided it, which its source gave and nobody recorded");

  private static final NotRedecidable OTHER_FACTS =
      new NotRedecidable(
          "other-facts", "the state of the journal or of a source decided it, not the rules");

  private final RedecideContext redecideContext;
  private final RecordedRules recordedRules;
  private final Rules candidate;
  private final CandidateDecider candidateDecider;

  /** The result of comparing. */
  public sealed interface Comparison {

    /** What became of the call under the candidate is not known. */
    record NotReplayable(String reason, String message, Check check) implements Comparison {}

    /**
     * Both resolutions.
     *
     * @param told the error response that the candidate's refusal gives; absent without one
     */
    record Compared(
        CallChange change,
        Resolution before,
        Resolution after,
        @Nullable Fault fault,
        @Nullable ErrorResponse told,
        Check check)
        implements Comparison {}
  }

  /** Whether the rules of then decide as they did. */
  public sealed interface Check {
    record Agrees() implements Check {}

    /** It was decided by another version of the gates' logic, and differs. */
    record OtherLogic(int version) implements Check {}

    /** The same version of the gates' logic decides otherwise, which is a fault of this program. */
    record Wrong(String sentence) implements Check {}

    record NotChecked(String reason) implements Check {}
  }

  /** The redecision by the rules of then, if there is one, and how it compares. */
  private record Then(Check check, @Nullable Rules rules, @Nullable Redecision redecision) {}

  public CandidateComparison(
      RedecideContext redecideContext, RecordedRules recordedRules, Rules candidate) {
    this.redecideContext = redecideContext;
    this.recordedRules = recordedRules;
    this.candidate = candidate;
    this.candidateDecider = new CandidateDecider(candidate);
  }

  /**
   * Compares one call. Reads the recorded rules when it does not know them.
   *
   * @param position of the call's first event
   * @param contentState of that event
   */
  public Comparison compare(RecordedCall call, long position, ContentState contentState)
      throws InterruptedException {
    CallReceived received = Objects.requireNonNull(call.received());
    if (!redecideContext.handlers().containsKey(received.dialect())) {
      return notReplayable(
          NotRedecidable.dialectNotServed(received.dialect()),
          new Check.NotChecked("dialect-not-served"));
    }
    CallRedecider callRedecider = new CallRedecider(received, contentState, redecideContext);
    return call.undecided() == null
        ? decided(call, callRedecider)
        : undecided(call, position, callRedecider);
  }

  private Comparison decided(RecordedCall call, CallRedecider callRedecider)
      throws InterruptedException {
    Then then = then(call, callRedecider);
    return switch (then.check()) {
      case Check.Wrong(var sentence) ->
          new Comparison.NotReplayable("self-check", sentence, then.check());
      case Check.OtherLogic(int version) ->
          new Comparison.NotReplayable(
              "other-logic",
              "version %d of the gates' logic decided otherwise".formatted(version),
              then.check());
      case Check.Agrees _, Check.NotChecked _ ->
          compared(call, Resolution.recorded(call), then, callRedecider);
    };
  }

  private Comparison compared(
      RecordedCall call, Resolution before, Then then, CallRedecider callRedecider) {
    return switch (candidateDecider.decide(call, callRedecider)) {
      case CandidateDecider.Result.Impossible(var why) -> notReplayable(why, then.check());
      case CandidateDecider.Result.Decided(var after, var redecision) -> {
        ErrorResponse told = told(call, candidate, redecision);
        yield new Comparison.Compared(
            CallChange.between(before, after, isToldTheSame(call, before, then, after, told)),
            before,
            after,
            redecision.fault(),
            told,
            then.check());
      }
    };
  }

  private static Comparison notReplayable(NotRedecidable why, Check check) {
    return new Comparison.NotReplayable(why.reason(), why.message(), check);
  }

  /** Each decision, taken again by the rules of its own time. */
  private Then then(RecordedCall call, CallRedecider callRedecider) throws InterruptedException {
    Then first = null;
    for (RecordedDecision decision : call.decisions()) {
      Then then = then(decision, callRedecider);
      first = Objects.requireNonNullElse(first, then);
      if (!(then.check() instanceof Check.Agrees)) {
        return new Then(then.check(), first.rules(), first.redecision());
      }
    }
    return Objects.requireNonNull(first);
  }

  private Then then(RecordedDecision decision, CallRedecider callRedecider)
      throws InterruptedException {
    return switch (recordedRules.search(decision.rulesHash(), decision.position())) {
      case Search.NotFound(var why) -> new Then(new Check.NotChecked(why.reason()), null, null);
      case Search.Found(var rules, _, _) ->
          switch (callRedecider.decide(rules, decision.at())) {
            case CallRedecider.Result.Impossible(var why) ->
                new Then(new Check.NotChecked(why.reason()), rules, null);
            case CallRedecider.Result.Done(var redecision) ->
                new Then(check(decision, rules, redecision), rules, redecision);
          };
    };
  }

  private static Check check(RecordedDecision decision, Rules rules, Redecision redecision) {
    Optional<List<DecisionDifference>> differences =
        DecisionCheck.differences(decision, rules, redecision);
    if (differences.isEmpty()) {
      return new Check.NotChecked("secrets-not-recorded");
    }
    if (differences.get().isEmpty()) {
      return new Check.Agrees();
    }
    return decision.logicVersion() == GateChain.LOGIC_VERSION
        ? new Check.Wrong(
            "the event at position %d says %s, and the same rules now give %s"
                .formatted(
                    decision.position(),
                    decision.outcome().description(),
                    redecision.outcome().description()))
        : new Check.OtherLogic(decision.logicVersion());
  }

  /**
   * A call about which no gate was asked. Its rules say so, or the journal and the sources did,
   * which nobody can ask again.
   */
  private Comparison undecided(RecordedCall call, long position, CallRedecider callRedecider)
      throws InterruptedException {
    CallReceived received = Objects.requireNonNull(call.received());
    Optional<DecisionOutcome> outcome = outcomeWithoutGates(call);
    if (outcome.isEmpty()) {
      return new Comparison.NotReplayable(
          "nothing-decided",
          "nothing was decided about it: " + call.undecided(),
          new Check.NotChecked("nothing-decided"));
    }
    return switch (recordedRules.search(received.rulesHash(), position)) {
      case Search.NotFound(var why) -> notReplayable(why, new Check.NotChecked(why.reason()));
      case Search.Found(var rules, _, _) ->
          switch (callRedecider.decide(rules, received.receivedAt())) {
            case CallRedecider.Result.Impossible(var why) ->
                notReplayable(why, new Check.NotChecked(why.reason()));
            case CallRedecider.Result.Done(var redecision) ->
                undecided(call, outcome.get(), callRedecider, rules, redecision);
          };
    };
  }

  private Comparison undecided(
      RecordedCall call,
      DecisionOutcome outcome,
      CallRedecider callRedecider,
      Rules rules,
      Redecision redecision) {
    if (call.error() != null && call.error().fault() instanceof TaskFault.UnknownSkill) {
      return notReplayable(SOURCE_LIST, new Check.NotChecked(SOURCE_LIST.reason()));
    }
    if (!redecision.outcome().equals(outcome)) {
      return notReplayable(OTHER_FACTS, new Check.NotChecked(OTHER_FACTS.reason()));
    }
    if (isListThatMayDiffer(call, rules)) {
      return notReplayable(SOURCE_LIST, new Check.Agrees());
    }
    return compared(
        call,
        new Resolution(outcome, Answer.NONE, List.of()),
        new Then(new Check.Agrees(), rules, redecision),
        callRedecider);
  }

  private static Optional<DecisionOutcome> outcomeWithoutGates(RecordedCall call) {
    if (call.error() != null) {
      return Optional.of(new DecisionOutcome.Unservable(call.error().fault().kind()));
    }
    return call.isAnsweredHere()
        ? Optional.of(new DecisionOutcome.AnsweredHere())
        : Optional.empty();
  }

  private boolean isListThatMayDiffer(RecordedCall call, Rules rules) {
    return call.isAnsweredHere()
        && ListAggregator.of(Objects.requireNonNull(call.received()).method()).isPresent()
        && !ListedSources.of(rules).equals(ListedSources.of(candidate));
  }

  private boolean isToldTheSame(
      RecordedCall call,
      Resolution before,
      Then then,
      Resolution after,
      @Nullable ErrorResponse told) {
    if (before.effect() != Effect.REFUSED || after.effect() != Effect.REFUSED || told == null) {
      return true;
    }
    if (then.rules() == null || then.redecision() == null) {
      return call.error() != null && call.error().told().code() == told.code();
    }
    ErrorResponse toldThen = told(call, then.rules(), then.redecision());
    return toldThen == null || toldThen.equals(told);
  }

  private @Nullable ErrorResponse told(RecordedCall call, Rules rules, Redecision redecision) {
    CallReceived received = Objects.requireNonNull(call.received());
    return redecision.fault() == null
        ? null
        : redecideContext
            .translators()
            .apply(rules)
            .translate(
                redecision.fault(),
                new DialectVersion(received.dialect(), received.dialectVersion()),
                received.correlationId());
  }
}
