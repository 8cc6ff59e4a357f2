package gatebook.api.operator.rpc;

import gatebook.command.rules.file.RulesFile.Reading;
import gatebook.events.RulesRejected.Mistake;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The rules in force, as operators see them. */
public interface RulesInForce {

  /** The rules that decide calls now; empty when there are none. */
  Optional<CurrentRules> current();

  /** Checks the rules file as if it were loaded now; changes nothing. */
  CheckResult check();

  /** Checks a text as if the rules file had it; changes nothing. */
  CheckResult check(String candidate);

  /** Reads a candidate as if the rules file had it; changes nothing. */
  Reading read(Candidate candidate);

  /**
   * A candidate for the rules.
   *
   * @param files policies and a schema that it names, by their names in it
   * @param mayReadNode whether it may also name files of the node, and read its variables
   */
  record Candidate(String text, Map<String, String> files, boolean mayReadNode) {
    public Candidate {
      files = Map.copyOf(files);
    }
  }

  /** The argument paths that a workflow hides; empty when there is no such workflow. */
  Optional<List<String>> hiddenFields(String workflow);

  /** The text is as it was read, without secrets. */
  record CurrentRules(
      String hash, Instant activatedAt, String file, String text, List<Mistake> warnings) {
    public CurrentRules {
      warnings = List.copyOf(warnings);
    }
  }

  /** The file can be loaded when there are no mistakes; warnings do not prevent it. */
  record CheckResult(List<Mistake> mistakes, List<Mistake> warnings) {
    public CheckResult {
      mistakes = List.copyOf(mistakes);
      warnings = List.copyOf(warnings);
    }
  }
}
