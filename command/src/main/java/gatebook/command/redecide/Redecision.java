package gatebook.command.redecide;

import gatebook.events.call.Ruling;
import java.util.List;

/**
 * A decision that was taken again.
 *
 * @param byArguments whether the call's arguments were looked at
 */
public record Redecision(DecisionOutcome outcome, List<Ruling> rulings, boolean byArguments) {
  public Redecision {
    rulings = List.copyOf(rulings);
  }
}
