package gatebook.command.redact;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** Decides which names of members, parameters and headers have secret values. */
final class SecretNames {

  /** What a name says about its value. */
  enum Secrecy {
    NONE,
    /** Only a text that is no number is a secret, since results and counts have such names too. */
    POSSIBLE,
    SECRET,
    /** A header whose whole line is a secret. */
    SECRET_LINE
  }

  static final int LENGTH_MAX = 64;

  private static final BitSet FIRST_PAIRS = firstPairs();

  /** Names are of tools' schemas and of log lines, so that few come often. */
  private static final int DECIDED_MAX = 1_024;

  private final Set<String> configured = new HashSet<>();
  private final Map<String, Secrecy> decided = new ConcurrentHashMap<>();

  SecretNames(Collection<String> configured) {
    configured.forEach(name -> this.configured.add(name.toLowerCase(Locale.ROOT)));
  }

  /** Classifies a name; markers in it are ignored. */
  Secrecy of(String name) {
    return RedactionMarker.isIn(name) ? ofPlain(RedactionMarker.removeFrom(name)) : ofPlain(name);
  }

  private Secrecy ofPlain(String name) {
    if (!configured.isEmpty() && configured.contains(name.toLowerCase(Locale.ROOT))) {
      return Secrecy.SECRET;
    }
    if (!mayBeSecret(name)) {
      return Secrecy.NONE;
    }
    Secrecy known = decided.get(name);
    if (known != null) {
      return known;
    }
    Secrecy secrecy = ofWords(words(name));
    if (name.length() <= LENGTH_MAX && decided.size() < DECIDED_MAX) {
      decided.put(name, secrecy);
    }
    return secrecy;
  }

  private static Secrecy ofWords(List<String> words) {
    String joined = String.join("", words);
    if (words.isEmpty() || WordList.METADATA_NAME_WORDS.contains(words.getLast())) {
      return Secrecy.NONE;
    }
    if (WordList.SECRET_LINE_HEADERS.contains(joined)) {
      return Secrecy.SECRET_LINE;
    }
    return WordList.SECRET_NAME_ENDS.isEndOf(joined)
            || words.stream().anyMatch(WordList.SECRET_NAME_WORDS::contains)
        ? Secrecy.SECRET
        : WordList.POSSIBLE_NAME_WORDS.contains(words.getLast()) ? Secrecy.POSSIBLE : Secrecy.NONE;
  }

  /** Quick check: most names contain no pair of letters with which a secret's name begins. */
  private static boolean mayBeSecret(String name) {
    for (int at = 1; at < name.length(); at++) {
      if (Character.isLetter(name.charAt(at)) && FIRST_PAIRS.get(pair(name, at - 1))) {
        return true;
      }
    }
    return false;
  }

  private static BitSet firstPairs() {
    BitSet beginnings = new BitSet();
    Stream.of(
            WordList.SECRET_NAME_ENDS,
            WordList.SECRET_NAME_WORDS,
            WordList.POSSIBLE_NAME_WORDS,
            WordList.SECRET_LINE_HEADERS)
        .flatMap(list -> list.words().stream())
        .forEach(word -> beginnings.set(pair(word, 0)));
    return beginnings;
  }

  /** A pair of letters as a number, ignoring case. */
  private static int pair(String text, int at) {
    return ((text.charAt(at) & 0x1f) << 5) | (text.charAt(at + 1) & 0x1f);
  }

  /**
   * The lower-case words of a name, split at capitals and non-letters; of the end of a long name.
   */
  private static List<String> words(String name) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    char before = ' ';
    for (int at = Math.max(0, name.length() - LENGTH_MAX); at < name.length(); at++) {
      char c = name.charAt(at);
      boolean begins =
          CharClasses.is(c, CharClasses.UPPER) && !CharClasses.is(before, CharClasses.UPPER);
      if (begins || !Character.isLetter(c)) {
        finish(word, words);
      }
      if (Character.isLetter(c)) {
        word.append(Character.toLowerCase(c));
      }
      before = c;
    }
    finish(word, words);
    return words;
  }

  private static void finish(StringBuilder word, List<String> words) {
    if (!word.isEmpty()) {
      words.add(word.toString());
      word.setLength(0);
    }
  }
}
