package gatebook.command.rules.file;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A command in one line, as its words. Blanks part them, single and double quotation marks keep
 * them together; nothing else means anything, since no shell reads it.
 */
final class CommandLine {

  private static final char NONE = 0;

  private final List<String> words = new ArrayList<>();
  private final StringBuilder word = new StringBuilder();
  private boolean inWord;
  private char quote = NONE;

  private CommandLine() {}

  /** Its words; empty when a quotation mark stands alone. */
  static Optional<List<String>> words(String line) {
    CommandLine read = new CommandLine();
    line.chars().forEach(c -> read.take((char) c));
    read.endWord();
    return read.quote == NONE ? Optional.of(read.words) : Optional.empty();
  }

  private void take(char c) {
    if (quote != NONE) {
      takeQuoted(c);
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

  private void takeQuoted(char c) {
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
