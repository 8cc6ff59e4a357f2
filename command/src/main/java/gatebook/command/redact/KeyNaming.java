package gatebook.command.redact;

import java.util.Locale;

/** Decides whether the words before a text name it as a key. */
final class KeyNaming {

  private static final int WORDS_MAX = 4;
  private static final int SEPARATORS_MAX = 6;
  private static final String SEPARATORS = " \t:=\"'`(<[>\\";

  private KeyNaming() {}

  static boolean isKeyNamed(String text, int start) {
    int end = start;
    for (int words = 0; words < WORDS_MAX; words++) {
      int wordEnd = CharClasses.trim(text, Math.max(0, end - SEPARATORS_MAX), end, SEPARATORS);
      int wordStart = CharClasses.skipBack(text, wordEnd, SecretNames.LENGTH_MAX, CharClasses.WORD);
      if (wordStart == wordEnd) {
        return false;
      }
      String word = text.substring(wordStart, wordEnd).toLowerCase(Locale.ROOT);
      if (WordList.KEY_WORD_ENDS.isEndOf(word)) {
        return true;
      }
      if (!WordList.KEY_FILLERS.contains(word)) {
        return false;
      }
      end = wordStart;
    }
    return false;
  }
}
