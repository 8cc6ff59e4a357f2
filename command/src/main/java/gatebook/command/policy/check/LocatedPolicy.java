package gatebook.command.policy.check;

import gatebook.events.RulesRejected.Mistake;

/**
 * The text of one policy and its location in its file.
 *
 * @param file the file's name in mistakes
 * @param start the index of its first character in the file
 */
public record LocatedPolicy(String file, String fileText, int start, String text) {

  /** A mistake at an offset into the policy in UTF-8 bytes, as the engine counts. */
  public Mistake mistakeAtByte(int offset, String message) {
    return mistakeAt(indexOfByte(offset), message);
  }

  /** A mistake at an index of the policy's text. */
  public Mistake mistakeAt(int index, String message) {
    int end = start + index;
    return new Mistake(file, line(end), column(end), message);
  }

  public int line() {
    return line(start);
  }

  public int column() {
    return column(start);
  }

  private int line(int end) {
    return 1 + (int) fileText.chars().limit(end).filter(c -> c == '\n').count();
  }

  private int column(int end) {
    int lineStart = fileText.lastIndexOf('\n', end - 1) + 1;
    return 1 + fileText.codePointCount(lineStart, end);
  }

  private int indexOfByte(int offset) {
    int index = 0;
    int bytes = 0;
    while (bytes < offset && index < text.length()) {
      int codePoint = text.codePointAt(index);
      bytes += utf8Length(codePoint);
      index += Character.charCount(codePoint);
    }
    return index;
  }

  private static int utf8Length(int codePoint) {
    if (codePoint < 0x80) {
      return 1;
    }
    if (codePoint < 0x800) {
      return 2;
    }
    return codePoint < 0x10000 ? 3 : 4;
  }
}
