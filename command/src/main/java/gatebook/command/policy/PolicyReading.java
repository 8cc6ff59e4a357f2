package gatebook.command.policy;

import gatebook.events.RulesRejected.Mistake;
import java.util.List;

/** The result of reading and compiling policy files. */
public sealed interface PolicyReading {

  /** Policies that can decide; warnings are for their author and change no decision. */
  record Compiled(CedarPolicies policies, List<Mistake> warnings) implements PolicyReading {
    public Compiled {
      warnings = List.copyOf(warnings);
    }
  }

  /** All mistakes in policies that cannot decide, in the order of files and lines. */
  record Invalid(List<Mistake> mistakes) implements PolicyReading {
    public Invalid {
      mistakes = List.copyOf(mistakes);
    }
  }
}
