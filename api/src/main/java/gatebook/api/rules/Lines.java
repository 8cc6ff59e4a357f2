package gatebook.api.rules;

import gatebook.events.RulesRejected.Mistake;
import java.util.List;
import java.util.stream.Stream;

/** Mistakes for people, one in a line. */
final class Lines {

  private Lines() {}

  static List<String> of(Checked checked) {
    return checked.mistakes().isEmpty() && checked.warnings().isEmpty()
        ? List.of(checked.file() + ": nothing is wrong")
        : Stream.concat(
                checked.mistakes().stream().map(it -> line(it, "")),
                checked.warnings().stream().map(it -> line(it, "warning: ")))
            .toList();
  }

  /** {@code file:line:column}, or less where less is known. */
  static String place(Mistake mistake) {
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
