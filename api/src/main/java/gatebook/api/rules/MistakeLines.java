package gatebook.api.rules;

import gatebook.events.RulesRejected.Mistake;
import java.util.List;
import java.util.stream.Stream;

/** Mistakes for people, one in a line. */
public final class MistakeLines {

  private MistakeLines() {}

  public static List<String> of(RulesCheck rulesCheck) {
    return rulesCheck.mistakes().isEmpty() && rulesCheck.warnings().isEmpty()
        ? List.of(rulesCheck.file() + ": nothing is wrong")
        : Stream.concat(
                rulesCheck.mistakes().stream().map(it -> line(it, "")),
                rulesCheck.warnings().stream().map(it -> line(it, "warning: ")))
            .toList();
  }

  /** {@code file:line:column}, or less where less is known. */
  public static String place(Mistake mistake) {
    return mistake.line() == null
        ? mistake.file()
        : mistake.column() == null
            ? mistake.file() + ":" + mistake.line()
            : mistake.file() + ":" + mistake.line() + ":" + mistake.column();
  }

  /** What somebody wrote into a file must not steer a terminal. */
  private static String line(Mistake mistake, String mark) {
    return (place(mistake) + ": " + mark + mistake.message()).replaceAll("\\p{Cntrl}", "?");
  }
}
