package gatebook.api.rules;

import gatebook.command.rules.Rules;
import gatebook.events.RulesRejected.Mistake;
import java.util.List;

/** The status of the rules at this moment. */
public sealed interface RulesStatus {

  /** The rules are in force, and recorded in the journal. */
  record InForce(Rules rules) implements RulesStatus {}

  /** No rules without mistakes were read since the start; governed calls cannot be decided. */
  record Broken(List<Mistake> mistakes) implements RulesStatus {
    public Broken {
      mistakes = List.copyOf(mistakes);
    }
  }

  /** The rules are read but not yet recorded in the journal, so they decide nothing yet. */
  record NotRecorded() implements RulesStatus {}
}
