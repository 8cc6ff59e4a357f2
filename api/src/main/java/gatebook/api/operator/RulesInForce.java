package gatebook.api.operator;

import gatebook.events.RulesRejected.Mistake;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What operators can ask about the rules. */
public interface RulesInForce {

  /** The rules by which calls are decided now; empty when there are none. */
  Optional<Shown> show();

  /** What the rules file would do if it were loaded now; nothing is changed. */
  Checked check();

  /** Which paths into its arguments a workflow hides; empty when there is no such workflow. */
  Optional<List<String>> hidden(String workflow);

  /** The text is as it was read, without secrets. */
  record Shown(String hash, Instant activatedAt, String file, String text, List<Mistake> warnings) {
    public Shown {
      warnings = List.copyOf(warnings);
    }
  }

  /** Without mistakes, the file can be loaded; warnings do not keep it from that. */
  record Checked(List<Mistake> mistakes, List<Mistake> warnings) {
    public Checked {
      mistakes = List.copyOf(mistakes);
      warnings = List.copyOf(warnings);
    }
  }
}
