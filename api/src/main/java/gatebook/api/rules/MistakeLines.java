package gatebook.api.rules;

import gatebook.events.RulesRejected.Mistake;
import java.util.List;
import java.util.stream.Stream;

/** Formats mistakes as lines of text. */
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

  /** {@code file:line:column}, without the parts that are unknown. */
  public static String place(Mistake mistake) {
    return mistake.line() == null
        ? mistake.file()
        : mistake.column() == null
            ? mistake.file() + ":" + mistake.line()
            : mistake.file() + ":" + mistake.line() + ":" + mistake.column();
  }

  /** The line without control characters: the content of a file must not control a terminal. */
  private static String line(Mistake mistake, String mark) {
    return (place(mistake) + ": " + mark + mistake.message()).replaceAll("\\p{Cntrl}", "?");
  }
}
