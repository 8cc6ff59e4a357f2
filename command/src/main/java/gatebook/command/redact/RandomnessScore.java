package gatebook.command.redact;

/**
 * Scores the randomness of a text, to distinguish random tokens from names.
 *
 * <p>A pair of neighbours is odd if it is rare in names: a digit beside a letter, a capital after a
 * small letter, letters that are seldom neighbours in words. In random tokens more than half of the
 * pairs are odd, in names about one in six; the threshold is two in five. One in 300 random tokens
 * of 24 characters passes for a name, fewer of longer ones.
 */
final class RandomnessScore {

  static final int LENGTH_MIN = 24;

  private static final int ODD_MIN = 8;
  private static final int ULID_LENGTH = 26;
  private static final int ONE_CLASS_LENGTH_MIN = 32;

  /** For each letter the letters that often follow it: nine in ten pairs of words. */
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

  /** Whether the range, of any characters, looks random. */
  static boolean looksRandom(String text, int start, int end) {
    return looksRandom(text, start, end, LENGTH_MIN);
  }

  /** As above, with another minimum length. */
  static boolean looksRandom(String text, int start, int end, int lengthMin) {
    if (end - start < lengthMin) {
      return false;
    }
    var count = new RandomnessScore();
    for (int at = start; at < end; ) {
      int segment = CharClasses.skip(text, at, CharClasses.ALNUM);
      segment = Math.min(segment, end);
      if (!isHex(text, at, segment) && !isUlid(text, at, segment)) {
        count.addSegment(text, at, segment);
      }
      at = segment + 1;
    }
    return count.isRandom();
  }

  /** Whether it is hex in one case, as numbers, digests and ids are: length decides for those. */
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

  /** Whether it is a ULID of this century, which is an id and no key. */
  private static boolean isUlid(String text, int start, int end) {
    return end - start == ULID_LENGTH && text.startsWith("01", start);
  }

  private void addSegment(String text, int start, int end) {
    for (int at = start; at < end; at++) {
      classes |= charClass(text.charAt(at));
      if (at > start) {
        neighbours++;
        odd += isOdd(text.charAt(at - 1), text.charAt(at)) ? 1 : 0;
      }
    }
  }

  private boolean isRandom() {
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
