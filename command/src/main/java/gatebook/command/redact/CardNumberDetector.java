package gatebook.command.redact;

/** Detects card numbers of known issuers with a valid check digit. */
final class CardNumberDetector implements Detector {

  static final int DIGITS_MIN = 13;

  private static final int DIGITS_MAX = 19;
  private static final int GROUP_MAX = 6;

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
    char between = text.charAt(firstEnd);
    int end = firstEnd;
    for (int groups = 1; groups < 5 && text.startsWith(String.valueOf(between), end); groups++) {
      int next = CharClasses.skip(text, end + 1, CharClasses.DIGIT);
      if (next == end + 1 || next - end - 1 > GROUP_MAX) {
        break;
      }
      end = next;
    }
    return end;
  }

  private static String digits(String text, int start, int end) {
    if (end - start > DIGITS_MAX + 4) {
      return "";
    }
    StringBuilder digits = new StringBuilder();
    for (int at = start; at < end; at++) {
      if (CharClasses.isAt(text, at, CharClasses.DIGIT)) {
        digits.append(text.charAt(at));
      }
    }
    return digits.toString();
  }

  private static boolean isCard(String digits) {
    return digits.length() >= DIGITS_MIN
        && digits.length() <= DIGITS_MAX
        && isKnownIssuer(digits, Integer.parseInt(digits.substring(0, 4)))
        && hasValidCheckDigit(digits);
  }

  private static boolean isKnownIssuer(String digits, int first) {
    int length = digits.length();
    return switch (digits.charAt(0)) {
      case '4' -> length == 13 || length == 16 || length == 19;
      case '5' -> length == 16 && first >= 5_000 && (first < 5_900);
      case '2' -> length == 16 && first >= 2_221 && first <= 2_720;
      case '3' -> isIssuerThree(first, length);
      case '6' -> length >= 16;
      default -> false;
    };
  }

  private static boolean isIssuerThree(int first, int length) {
    return switch (first / 100) {
      case 34, 37 -> length == 15;
      case 30, 36, 38, 39 -> length == 14;
      case 35 -> length >= 16;
      default -> false;
    };
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
