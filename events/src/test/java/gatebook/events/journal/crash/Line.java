package gatebook.events.journal.crash;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A line between a test and its child process: words, and an end mark of a complete line. */
record Line(List<String> words) {
  private static final String END = ".";

  static Line of(String... words) {
    return new Line(List.of(words));
  }

  /** Empty for an incomplete line, which a killed process leaves. */
  static Optional<Line> read(@Nullable String text) {
    if (text == null || !text.endsWith("\t" + END)) {
      return Optional.empty();
    }
    List<String> words = List.of(text.split("\t", -1));
    return Optional.of(new Line(words.subList(0, words.size() - 1)));
  }

  String text() {
    return String.join("\t", words).replace('\n', ' ') + "\t" + END + "\n";
  }

  String word() {
    return at(0);
  }

  String at(int index) {
    return words.get(index);
  }

  long number(int index) {
    return Long.parseLong(at(index));
  }
}
