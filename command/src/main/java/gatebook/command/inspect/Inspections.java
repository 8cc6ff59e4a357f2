package gatebook.command.inspect;

import gatebook.command.gate.Asked;
import gatebook.command.rules.Rules;
import gatebook.events.fault.Fault;
import java.util.Optional;

/** Every inspector the rules name, one after the other. */
public final class Inspections {

  private Inspections() {}

  /** What the first that refuses says. */
  public static Optional<Fault> of(Asked asked, Rules rules) {
    return Optional.empty();
  }
}
