package gatebook.api.log;

import java.util.function.IntFunction;
import java.util.function.IntPredicate;

/**
 * Shows the characters of a text that a reader would not see, or that would control a terminal or
 * reorder what stands around them, by their names, as in {@code ⟨U+202E⟩}. The console shows the
 * same characters in the same way.
 */
public final class VisibleText {

  private static final int ASCII_END = 0x7f;

  private VisibleText() {}

  /** The text on one line: line feeds and tabs are shown by their names, too. */
  public static String of(String text) {
    return replaced(text, VisibleText::isHidden, VisibleText::name);
  }

  /** The text with its lines and tabs. */
  public static String lines(String text) {
    return replaced(text, point -> isHidden(point) && !isLayout(point), VisibleText::name);
  }

  /** A JSON document of the same content, in which these characters are escaped. */
  public static String json(String document) {
    return replaced(document, point -> isHidden(point) && !isLayout(point), VisibleText::escape);
  }

  private static String replaced(
      String text, IntPredicate isReplaced, IntFunction<String> replacement) {
    int shown = shownStart(text, isReplaced);
    if (shown == text.length()) {
      return text;
    }
    StringBuilder replaced = new StringBuilder(text.length() + 16).append(text, 0, shown);
    text.substring(shown)
        .codePoints()
        .forEach(point -> {
          if (isReplaced.test(point)) {
            replaced.append(replacement.apply(point));
          } else {
            replaced.appendCodePoint(point);
          }
        });
    return replaced.toString();
  }

  /** The length of the start of a text in which nothing is replaced. */
  private static int shownStart(String text, IntPredicate isReplaced) {
    int at = 0;
    while (at < text.length() && !isReplaced.test(text.codePointAt(at))) {
      at += Character.charCount(text.codePointAt(at));
    }
    return at;
  }

  private static boolean isLayout(int point) {
    return point == '\n' || point == '\t' || point == '\r';
  }

  private static boolean isHidden(int point) {
    if (point >= ' ' && point < ASCII_END) {
      return false;
    }
    return switch (Character.getType(point)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SPACE_SEPARATOR ->
          true;
      default -> isFiller(point);
    };
  }

  /** Letters, marks and symbols without a shape. */
  private static boolean isFiller(int point) {
    return switch (point) {
      case 0x034f, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x2800, 0x3164, 0xffa0 -> true;
      default ->
          isWithin(point, 0x180b, 0x180f)
              || isWithin(point, 0x2060, 0x206f)
              || isWithin(point, 0xfff0, 0xfffb)
              || isWithin(point, 0xe0000, 0xe01ef);
    };
  }

  private static boolean isWithin(int point, int from, int to) {
    return point >= from && point <= to;
  }

  private static String name(int point) {
    return "⟨U+%04X⟩".formatted(point);
  }

  private static String escape(int point) {
    StringBuilder escape = new StringBuilder(12);
    for (char unit : Character.toChars(point)) {
      escape.append("\\u%04x".formatted((int) unit));
    }
    return escape.toString();
  }
}
