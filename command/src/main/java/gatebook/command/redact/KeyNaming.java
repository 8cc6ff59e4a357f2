package gatebook.command.redact;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Decides whether the words before a text name it as a key. */
final class KeyNaming {

  private static final int WORDS_MAX = 4;
  private static final int SEPARATORS_MAX = 6;
  private static final String SEPARATORS = " \t:=\"'`(<[>\\";

  private static final List<String> ENDINGS =
      List.of(
          "key",
          "keys",
          "token",
          "tokens",
          "secret",
          "secrets",
          "password",
          "passwd",
          "credential",
          "credentials",
          "auth",
          "license",
          "licence",
          "hmac",
          "salt",
          "signature",
          "cookie",
          "session");

  private static final Set<String> FILLERS =
      Set.of(
          "is",
          "was",
          "of",
          "with",
          "value",
          "the",
          "your",
          "a",
          "invalid",
          "expired",
          "wrong",
          "unknown",
          "bad",
          "new",
          "old",
          "id",
          "x",
          "live",
          "test",
          "prod",
          "production");

  private KeyNaming() {}

  static boolean isKeyNamed(String text, int start) {
    int end = start;
    for (int words = 0; words < WORDS_MAX; words++) {
      int wordEnd = end;
      while (wordEnd > 0
          && end - wordEnd < SEPARATORS_MAX
          && SEPARATORS.indexOf(text.charAt(wordEnd - 1)) >= 0) {
        wordEnd--;
      }
      int wordStart = CharClasses.skipBack(text, wordEnd, SecretNames.LENGTH_MAX, CharClasses.WORD);
      if (wordStart == wordEnd) {
        return false;
      }
      String word = text.substring(wordStart, wordEnd).toLowerCase(Locale.ROOT);
      if (ENDINGS.stream().anyMatch(word::endsWith)) {
        return true;
      }
      if (!FILLERS.contains(word)) {
        return false;
      }
      end = wordStart;
    }
    return false;
  }
}
