package gatebook.command.redact;

/**
 * Tells tokens that were drawn at random from names that people made up.
 *
 * <p>Two neighbours are odd when people rarely write them side by side: a digit beside a letter, a
 * capital behind a small letter, letters that are seldom neighbours in words. In random tokens more
 * than half of all neighbours are odd, in names about one in six; two in five divide them. Of
 * random tokens of 24 characters one in 300 passes for a name, of longer ones fewer.
 */
final class RandomnessScore {

  static final int LENGTH_MIN = 24;

  private static final int ODD_MIN = 8;
  private static final int TIME_ORDERED_LENGTH = 26;
  private static final int ONE_CLASS_LENGTH_MIN = 32;

  /** For each letter those that often follow it: nine in ten neighbours in words. */
  private static final int[] FOLLOWERS =
      followers(
          "bcdgiklmnprstuvxy aeilorsuy acdehiklmorstu acdefilorsu abcdefgilmnopqrstvwxy aefilortu"
              + " aehilnorsu aeiot abcdefglmnoprstvz aeou eis acdeilopstuy abeilmopsu"
              + " acdefgiklnopstuv abcdfgiklmnoprstuvw adehiloprstuy u acdefgiklmnoprstuy"
              + " acefhilmopstuy acdefhilmoprstuy abceilmnprst aei aeior pt ps e");

  private int neighbours;
  private int odd;
  private int classes;

  private RandomnessScore() {}

  /** Whether the text between, of any characters, looks random. */
  static boolean looksRandom(String text, int start, int end) {
    return looksRandom(text, start, end, LENGTH_MIN);
  }

  /** The same where so many characters are enough. */
  static boolean looksRandom(String text, int start, int end, int lengthMin) {
    if (end - start < lengthMin) {
      return false;
    }
    var count = new RandomnessScore();
    for (int at = start; at < end; ) {
      int segment = CharClasses.skip(text, at, CharClasses.ALNUM);
      segment = Math.min(segment, end);
      if (!isHex(text, at, segment) && !isTimeOrdered(text, at, segment)) {
        count.segment(text, at, segment);
      }
      at = segment + 1;
    }
    return count.verdict();
  }

  /** Digits and letters of one case up to f: numbers, digests and ids, judged by length instead. */
  private static boolean isHex(String text, int start, int end) {
    int seen = 0;
    for (int at = text.startsWith("0x", start) ? start + 2 : start; at < end; at++) {
      char c = text.charAt(at);
      if (!CharClasses.is(c, CharClasses.HEX)) {
        return false;
      }
      seen |=
          CharClasses.is(c, CharClasses.UPPER)
              ? CharClasses.UPPER
              : CharClasses.is(c, CharClasses.LOWER) ? CharClasses.LOWER : 0;
    }
    return seen != (CharClasses.UPPER | CharClasses.LOWER);
  }

  /** A ULID of this century: ids are written like that, keys are not. */
  private static boolean isTimeOrdered(String text, int start, int end) {
    return end - start == TIME_ORDERED_LENGTH && text.startsWith("01", start);
  }

  private void segment(String text, int start, int end) {
    for (int at = start; at < end; at++) {
      classes |= charClass(text.charAt(at));
      if (at > start) {
        neighbours++;
        odd += isOdd(text.charAt(at - 1), text.charAt(at)) ? 1 : 0;
      }
    }
  }

  private boolean verdict() {
    boolean mixed = Integer.bitCount(classes) > 1;
    return odd >= ODD_MIN
        && (mixed
            ? odd * 5 >= neighbours * 2
            : odd * 2 >= neighbours && neighbours >= ONE_CLASS_LENGTH_MIN - 1);
  }

  private static boolean isOdd(char first, char second) {
    int one = charClass(first);
    int other = charClass(second);
    if (first == second || second - first == 1) {
      return false;
    }
    if (one == other) {
      return one != CharClasses.DIGIT && !follows(first, second);
    }
    return one != CharClasses.UPPER || other != CharClasses.LOWER;
  }

  private static boolean follows(char first, char second) {
    return (FOLLOWERS[(first | 0x20) - 'a'] & (1 << ((second | 0x20) - 'a'))) != 0;
  }

  private static int charClass(char c) {
    return c <= '9' ? CharClasses.DIGIT : c <= 'Z' ? CharClasses.UPPER : CharClasses.LOWER;
  }

  private static int[] followers(String table) {
    String[] rows = table.split(" ", -1);
    int[] followers = new int[rows.length];
    for (int i = 0; i < rows.length; i++) {
      for (char c : rows[i].toCharArray()) {
        followers[i] |= 1 << (c - 'a');
      }
    }
    return followers;
  }
}
