package gatebook.command.redecide;

import gatebook.events.call.DenialReason;
import gatebook.events.call.Gate;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a decision comes to, before anybody else has a say in it. */
public sealed interface DecisionOutcome {

  /** It goes to the source. */
  record Forwarded(@Nullable String source) implements DecisionOutcome {}

  /** It is answered here, and no gate is asked. */
  record AnsweredHere() implements DecisionOutcome {}

  /** A person is asked; {@code workflow} is absent where nobody could be, for want of room. */
  record Held(@Nullable String workflow) implements DecisionOutcome {}

  record Denied(Gate gate, DenialReason reason) implements DecisionOutcome {}

  /** Every gate let it pass, and an inspector did not. */
  record Withheld(String inspector) implements DecisionOutcome {}

  /** Nobody can do it for the caller; {@code fault} is the kind of why. */
  record Unservable(String fault) implements DecisionOutcome {}

  /** In short, for programs too. */
  default String words() {
    return switch (this) {
      case Forwarded _ -> "forwarded";
      case AnsweredHere() -> "answered here";
      case Held(var workflow) -> "held for " + Objects.requireNonNullElse(workflow, "a person");
      case Denied(var gate, var reason) -> "denied by %s: %s".formatted(gate.word(), reason.word());
      case Withheld(var inspector) -> "withheld by " + inspector;
      case Unservable _ -> "unservable";
    };
  }

  /** All that is known. */
  default String sentence() {
    return switch (this) {
      case Forwarded(var source) when source != null -> "forwarded to " + source;
      case Unservable(var fault) -> "unservable: " + fault;
      case Forwarded _, AnsweredHere _, Held _, Denied _, Withheld _ -> words();
    };
  }

  /** Whether both say the same, as far as both say it. */
  default boolean agreesWith(DecisionOutcome other) {
    return equals(other)
        || (this instanceof Held(var one)
            && other instanceof Held(var two)
            && (one == null || two == null));
  }
}
