package gatebook.api.rules;

import gatebook.command.rules.Rules;
import gatebook.events.RulesRejected.Mistake;
import java.util.List;

/** How it stands with the rules at this moment. */
public sealed interface RulesStatus {

  /** These decide, and the journal has it. */
  record InForce(Rules rules) implements RulesStatus {}

  /** There have been none without mistakes since the start; governed calls cannot be decided. */
  record Broken(List<Mistake> mistakes) implements RulesStatus {
    public Broken {
      mistakes = List.copyOf(mistakes);
    }
  }

  /** They are read, and the journal does not have it yet, so nothing may be decided by them. */
  record NotRecorded() implements RulesStatus {}
}
