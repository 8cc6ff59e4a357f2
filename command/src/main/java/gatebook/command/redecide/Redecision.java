package gatebook.command.redecide;

import gatebook.events.call.Ruling;
import java.util.List;

/**
 * A redecision: the outcome and rulings of deciding a recorded call again.
 *
 * @param readsArguments whether the call's arguments were read
 */
public record Redecision(DecisionOutcome outcome, List<Ruling> rulings, boolean readsArguments) {
  public Redecision {
    rulings = List.copyOf(rulings);
  }
}
