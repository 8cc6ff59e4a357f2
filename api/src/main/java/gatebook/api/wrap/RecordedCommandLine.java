package gatebook.api.wrap;

import gatebook.command.redact.Scrubber;
import gatebook.events.call.TextPrefix;
import java.util.ArrayList;
import java.util.List;

/** A command line as it may be recorded: without secrets, in one line of ASCII. */
final class RecordedCommandLine {

  private static final Scrubber SCRUBBER = Scrubber.BUILT_IN.keepingPaths();
  private static final int CHARS_MAX = 1_024;

  private RecordedCommandLine() {}

  static String of(List<String> command) {
    List<String> words = new ArrayList<>();
    String option = "";
    for (String word : command) {
      words.add(shown(option, word));
      option = word.startsWith("-") && !word.contains("=") ? name(word) : "";
    }
    String line =
        SCRUBBER.scrub(String.join(" ", words)); // only the program knows what its options mean
    return line.length() <= CHARS_MAX ? line : TextPrefix.of(line, CHARS_MAX) + "...";
  }

  /** Whether a word is a secret may depend on the option whose value it is. */
  private static String shown(String option, String word) {
    int equals = word.indexOf('=');
    String scrubbed =
        equals > 0
            ? word.substring(0, equals + 1)
                + SCRUBBER.scrub(name(word.substring(0, equals)), word.substring(equals + 1))
            : SCRUBBER.scrub(option, word);
    return scrubbed.replaceAll("[^\\x20-\\x7e]", "?");
  }

  private static String name(String option) {
    return option.replaceFirst("^-+", "");
  }
}
