package gatebook.command.policy;

import gatebook.events.RulesRejected.Mistake;
import java.util.List;

/** What came of reading policy files. */
public sealed interface PolicyReading {

  /** They can decide; warnings are for whoever wrote them and change nothing. */
  record Compiled(CedarPolicies policies, List<Mistake> warnings) implements PolicyReading {
    public Compiled {
      warnings = List.copyOf(warnings);
    }
  }

  /** They cannot: everything that is wrong with them, in the order of files and lines. */
  record Wrong(List<Mistake> mistakes) implements PolicyReading {
    public Wrong {
      mistakes = List.copyOf(mistakes);
    }
  }
}
