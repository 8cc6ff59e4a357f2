package gatebook.command.policy;

import gatebook.events.RulesRejected.Mistake;

/**
 * One policy as it stands in its file.
 *
 * @param start the index of its first character there
 */
record PolicyText(PolicyFile file, int start, String text) {

  /** What is wrong at this many UTF-8 bytes after its beginning, which is how the engine counts. */
  Mistake mistakeAtByte(int offset, String message) {
    return mistakeAt(indexOfByte(offset), message);
  }

  /** What is wrong at this index of its text. */
  Mistake mistakeAt(int index, String message) {
    int end = start + index;
    return new Mistake(file.name(), line(end), column(end), message);
  }

  int line() {
    return line(start);
  }

  int column() {
    return column(start);
  }

  private int line(int end) {
    return 1 + (int) file.text().chars().limit(end).filter(c -> c == '\n').count();
  }

  private int column(int end) {
    int lineStart = file.text().lastIndexOf('\n', end - 1) + 1;
    return 1 + file.text().codePointCount(lineStart, end);
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
