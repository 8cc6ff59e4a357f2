package gatebook.command.redecide;

import gatebook.events.call.Ruling;
import gatebook.events.fault.Fault;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A redecision: the outcome and rulings of deciding a recorded call again.
 *
 * @param fault why the call is refused; absent when it is not
 * @param readsArguments whether the call's arguments were read
 */
public record Redecision(
    DecisionOutcome outcome, List<Ruling> rulings, @Nullable Fault fault, boolean readsArguments) {
  public Redecision {
    rulings = List.copyOf(rulings);
  }

  /** Refused before any gate was asked. */
  public static Redecision refused(Fault fault) {
    return new Redecision(new DecisionOutcome.Unservable(fault.kind()), List.of(), fault, false);
  }
}
