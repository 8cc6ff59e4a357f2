package gatebook.api.flow.schema;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The size of a pattern when its repetitions are written out, which the compiler of patterns does:
 * nested repetitions multiply.
 */
final class PatternSize {
  private static final long MOST = 1_000_000_000;
  private static final Pattern PART =
      Pattern.compile(
          """
          \\\\[pPxu]\\{[^}]*\\}|\\\\.\
          |\\[\\^?\\]?(?:\\\\.|[^\\]\\\\])*+\\]\
          |\\{(?<least>[0-9]{1,9})(?:,(?<most>[0-9]{0,9}))?\\}\
          |.\
          """,
          Pattern.DOTALL);

  private final Deque<Long> outer = new ArrayDeque<>();
  private long done;
  private long last;

  private PatternSize() {}

  static long of(String pattern) {
    PatternSize size = new PatternSize();
    Matcher part = PART.matcher(pattern);
    while (part.find()) {
      size.add(part);
    }
    while (!size.outer.isEmpty()) {
      size.close();
    }
    return size.done + size.last;
  }

  private void add(Matcher part) {
    switch (part.group().charAt(0)) {
      case '(' -> open();
      case ')' -> close();
      case '{' -> repeat(part);
      case '*', '+', '?' -> last = capped(last + 1);
      default -> next(part.group().length() / 4 + 1L);
    }
  }

  private void next(long size) {
    done = capped(done + last);
    last = size;
  }

  private void open() {
    next(0);
    outer.push(done);
    done = 0;
  }

  private void close() {
    long inner = capped(done + last + 2);
    done = outer.isEmpty() ? 0 : outer.pop();
    last = inner;
  }

  private void repeat(Matcher part) {
    if (part.group("least") == null) {
      next(1);
      return;
    }
    String most = part.group("most");
    long times =
        Math.max(
            Long.parseLong(part.group("least")) + 1,
            most == null || most.isEmpty() ? 1 : 2 * Long.parseLong(most));
    last = capped(last * times);
  }

  private static long capped(long size) {
    return Math.min(size, MOST);
  }
}
