package gatebook.command.rules.file;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Splits a command line into words. Blanks separate words, and single and double quotes group them;
 * nothing else is special, since no shell reads it.
 */
final class CommandLine {

  private static final char NONE = 0;

  private final List<String> words = new ArrayList<>();
  private final StringBuilder word = new StringBuilder();
  private boolean inWord;
  private char quote = NONE;

  private CommandLine() {}

  /** The words of a line; empty when a quote is not closed. */
  static Optional<List<String>> words(String line) {
    CommandLine parsed = new CommandLine();
    line.chars().forEach(c -> parsed.accept((char) c));
    parsed.endWord();
    return parsed.quote == NONE ? Optional.of(parsed.words) : Optional.empty();
  }

  private void accept(char c) {
    if (quote != NONE) {
      acceptQuoted(c);
    } else if (c == '\'' || c == '"') {
      quote = c;
      inWord = true;
    } else if (Character.isWhitespace(c)) {
      endWord();
    } else {
      word.append(c);
      inWord = true;
    }
  }

  private void acceptQuoted(char c) {
    if (c == quote) {
      quote = NONE;
    } else {
      word.append(c);
    }
  }

  private void endWord() {
    if (inWord) {
      words.add(word.toString());
    }
    word.setLength(0);
    inWord = false;
  }
}
