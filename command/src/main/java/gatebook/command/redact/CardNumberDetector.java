package gatebook.command.redact;

import java.util.List;
import java.util.Set;

/** Detects card numbers of known issuers with a valid check digit. */
final class CardNumberDetector implements Detector {

  static final int DIGITS_MIN = 13;

  private static final int DIGITS_MAX = 19;
  private static final int GROUP_MAX = 6;
  private static final int GROUPS_MAX = 5;

  /** The first four digits of an issuer's cards, and how many digits they may have. */
  private record Issuer(int first, int last, Set<Integer> lengths) {
    boolean issues(String digits) {
      int start = Integer.parseInt(digits, 0, 4, 10);
      return start >= first && start <= last && lengths.contains(digits.length());
    }
  }

  private static final List<Issuer> ISSUERS =
      List.of(
          new Issuer(2_221, 2_720, Set.of(16)),
          new Issuer(3_000, 3_099, Set.of(14)),
          new Issuer(3_400, 3_499, Set.of(15)),
          new Issuer(3_500, 3_599, Set.of(16, 17, 18, 19)),
          new Issuer(3_600, 3_699, Set.of(14)),
          new Issuer(3_700, 3_799, Set.of(15)),
          new Issuer(3_800, 3_999, Set.of(14)),
          new Issuer(4_000, 4_999, Set.of(13, 16, 19)),
          new Issuer(5_000, 5_899, Set.of(16)),
          new Issuer(6_000, 6_999, Set.of(16, 17, 18, 19)));

  @Override
  public void find(String text, ScrubFindings scrubFindings) {
    for (int at = 0; at < text.length(); ) {
      int start = CharClasses.seek(text, at, CharClasses.DIGIT);
      at = CharClasses.skip(text, start, CharClasses.DIGIT);
      if (isDelimited(text, start - 1, start - 2)) {
        int end = at - start > GROUP_MAX ? at : groupsEnd(text, at);
        if (isDelimited(text, end, end + 1) && isCard(digits(text, start, end))) {
          scrubFindings.add(start, end, SecretKind.CARD);
          at = end;
        }
      }
    }
  }

  /**
   * Whether no longer number or word continues here. A character that joins words continues a
   * number if a digit is beyond it.
   */
  private static boolean isDelimited(String text, int at, int beyond) {
    boolean joins = text.startsWith(".", at) || CharClasses.isAt(text, at, CharClasses.WORD);
    return !CharClasses.isAt(text, at, CharClasses.ALNUM)
        && !(joins && CharClasses.isAt(text, beyond, CharClasses.DIGIT));
  }

  /** The end of groups of digits separated by the same character. */
  private static int groupsEnd(String text, int firstEnd) {
    if (!text.startsWith(" ", firstEnd) && !text.startsWith("-", firstEnd)) {
      return firstEnd;
    }
    String between = text.substring(firstEnd, firstEnd + 1);
    int end = firstEnd;
    for (int groups = 1; groups < GROUPS_MAX && text.startsWith(between, end); groups++) {
      int next = CharClasses.skip(text, end + 1, CharClasses.DIGIT);
      if (next == end + 1 || next - end - 1 > GROUP_MAX) {
        break;
      }
      end = next;
    }
    return end;
  }

  private static String digits(String text, int start, int end) {
    return end - start > DIGITS_MAX + GROUPS_MAX - 1
        ? ""
        : text.substring(start, end).replace(" ", "").replace("-", "");
  }

  private static boolean isCard(String digits) {
    return digits.length() >= DIGITS_MIN
        && digits.length() <= DIGITS_MAX
        && ISSUERS.stream().anyMatch(issuer -> issuer.issues(digits))
        && hasValidCheckDigit(digits);
  }

  /** The Luhn check: every second digit from the right is doubled, and the sum ends in zero. */
  private static boolean hasValidCheckDigit(String digits) {
    int sum = 0;
    for (int i = 0; i < digits.length(); i++) {
      int digit = digits.charAt(digits.length() - 1 - i) - '0';
      int weighed = i % 2 == 0 ? digit : 2 * digit;
      sum += weighed > 9 ? weighed - 9 : weighed;
    }
    return sum % 10 == 0;
  }
}
