package gatebook.command.redecide;

import gatebook.events.call.DenialReason;
import gatebook.events.call.Gate;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a decision by gates and inspectors alone, before an operator or a source has
 * acted.
 */
public sealed interface DecisionOutcome {

  /** It is forwarded to the source. */
  record Forwarded(@Nullable String source) implements DecisionOutcome {}

  /** The gateway answers it, and no gate is asked. */
  record AnsweredHere() implements DecisionOutcome {}

  /** It waits for an approval; {@code workflow} is absent where the quota had no room for it. */
  record Held(@Nullable String workflow) implements DecisionOutcome {}

  record Denied(Gate gate, DenialReason reason) implements DecisionOutcome {}

  /** Every gate let it pass, and an inspector refused it. */
  record Withheld(String inspector) implements DecisionOutcome {}

  /** No gate denied it, and it was not forwarded for another reason. */
  record NotDenied() implements DecisionOutcome {}

  /** It cannot be served; {@code fault} is the kind of the fault. */
  record Unservable(String fault) implements DecisionOutcome {}

  /** The short form, also for programs. */
  default String summary() {
    return switch (this) {
      case Forwarded _ -> "forwarded";
      case AnsweredHere() -> "answered here";
      case Held(var workflow) -> "held for " + Objects.requireNonNullElse(workflow, "a person");
      case Denied(var gate, var reason) -> "denied by %s: %s".formatted(gate.word(), reason.word());
      case Withheld(var inspector) -> "withheld by " + inspector;
      case NotDenied() -> "not denied";
      case Unservable _ -> "unservable";
    };
  }

  /** The form with all details. */
  default String description() {
    return switch (this) {
      case Forwarded(var source) when source != null -> "forwarded to " + source;
      case Unservable(var fault) -> "unservable: " + fault;
      case Forwarded _, AnsweredHere _, Held _, Denied _, Withheld _, NotDenied _ -> summary();
    };
  }

  /** Whether both are the same, as far as both are known. */
  default boolean agreesWith(DecisionOutcome other) {
    return equals(other)
        || isNotDenied(this, other)
        || isNotDenied(other, this)
        || (this instanceof Held(var one)
            && other instanceof Held(var two)
            && (one == null || two == null));
  }

  private static boolean isNotDenied(DecisionOutcome one, DecisionOutcome other) {
    return one instanceof NotDenied && (other instanceof Forwarded || other instanceof Held);
  }
}
