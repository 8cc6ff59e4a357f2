package gatebook.command.redact;

import java.util.Locale;

/** Detects one-time codes as messages contain them: {@code your login code is 123456}. */
final class OneTimeCodeDetector implements Detector {

  private static final int DIGITS_MIN = 4;
  private static final int DIGITS_MAX = 10;
  private static final int WORDS_BEFORE_MAX = 3;
  private static final int WORDS_AFTER_MAX = 3;
  private static final int WORD_MAX = 32;

  @Override
  public void find(String text, ScrubFindings scrubFindings) {
    for (int at = 0; at < text.length(); ) {
      int start = CharClasses.seek(text, at, CharClasses.WORD);
      at = CharClasses.skip(text, start, CharClasses.WORD);
      if (isCodeWord(text, start, at)) {
        findBefore(text, start, scrubFindings);
        findAfter(text, at, scrubFindings);
      }
    }
  }

  private static boolean isCodeWord(String text, int start, int end) {
    if (end - start < 3 || end - start > WORD_MAX) {
      return false;
    }
    String word = text.substring(start, end).toLowerCase(Locale.ROOT);
    return WordList.CODE_WORDS.contains(word)
        && (WordList.UNAMBIGUOUS_CODE_WORDS.contains(word) || hasPurposeBefore(text, start));
  }

  /** Whether a word before the code word names a purpose. */
  private static boolean hasPurposeBefore(String text, int code) {
    int end = code;
    for (int words = 0; words < WORDS_BEFORE_MAX; words++) {
      int wordEnd = CharClasses.skipBack(text, end, 2, CharClasses.BLANK);
      int start = CharClasses.skipBack(text, wordEnd, WORD_MAX, CharClasses.WORD);
      if (start == wordEnd) {
        return false;
      }
      if (WordList.CODE_PURPOSES.contains(
          text.substring(start, wordEnd).toLowerCase(Locale.ROOT))) {
        return true;
      }
      end = start;
    }
    return false;
  }

  /** Finds {@code code for you is: 123 456}. */
  private static void findAfter(String text, int codeEnd, ScrubFindings scrubFindings) {
    int at = skip(text, codeEnd);
    for (int words = 0; words < WORDS_AFTER_MAX && !isDigits(text, at); words++) {
      int end = CharClasses.skip(text, at, CharClasses.WORD);
      if (end - at > WORD_MAX
          || !WordList.CODE_FILLERS.contains(text.substring(at, end).toLowerCase(Locale.ROOT))) {
        return;
      }
      at = skip(text, end);
    }
    if (isDigits(text, at)) {
      scrubFindings.add(at, digitsEnd(text, at), SecretKind.NAMED);
    }
  }

  private static int skip(String text, int from) {
    return CharClasses.skipAny(text, from, Math.min(text.length(), from + 6), " \t:=\"'(*#`>");
  }

  /** Digits, also in two halves, perhaps after a letter and a dash. */
  private static boolean isDigits(String text, int at) {
    int end = digitsEnd(text, at);
    return end > at && !CharClasses.isAt(text, end, CharClasses.WORD);
  }

  private static int digitsEnd(String text, int at) {
    int from =
        CharClasses.isAt(text, at, CharClasses.UPPER) && text.startsWith("-", at + 1) ? at + 2 : at;
    int end = CharClasses.skip(text, from, CharClasses.DIGIT);
    boolean half = end - from >= 3 && end - from <= 4;
    if (half && (text.startsWith("-", end) || text.startsWith(" ", end))) {
      int other = CharClasses.skip(text, end + 1, CharClasses.DIGIT);
      if (other - end - 1 == end - from && !CharClasses.isAt(text, other, CharClasses.WORD)) {
        return other;
      }
    }
    return end - from >= DIGITS_MIN && end - from <= DIGITS_MAX ? end : at;
  }

  /** Finds {@code 123456 is your login code}. */
  private static void findBefore(String text, int code, ScrubFindings scrubFindings) {
    int end = code;
    for (int words = 0; words < 6; words++) {
      int wordEnd = CharClasses.skipBack(text, end, 2, CharClasses.BLANK);
      int start = CharClasses.skipBack(text, wordEnd, WORD_MAX, CharClasses.WORD);
      if (start == wordEnd) {
        return;
      }
      if (isDigits(text, start) && digitsEnd(text, start) == wordEnd) {
        if (text.startsWith(" is ", wordEnd)) {
          scrubFindings.add(start, wordEnd, SecretKind.NAMED);
        }
        return;
      }
      end = start;
    }
  }
}
