package gatebook.command.again;

import gatebook.events.call.Ruling;
import java.util.List;

/**
 * A decision that was taken again.
 *
 * @param byArguments whether the call's arguments were looked at
 */
public record Decided(Outcome outcome, List<Ruling> rulings, boolean byArguments) {
  public Decided {
    rulings = List.copyOf(rulings);
  }
}
