package gatebook.command.redact;

/** Detects e-mail addresses. */
final class EmailDetector implements Detector {

  private static final int LOCAL_MAX = 64;
  private static final int DOMAIN_MAX = 255;

  @Override
  public void find(String text, ScrubFindings scrubFindings) {
    for (int at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
      int start = localStart(text, at);
      int end = domainEnd(text, at + 1);
      if (start < at && isDomain(text, at + 1, end)) {
        scrubFindings.add(start, end, SecretKind.IDENTITY);
      }
    }
  }

  private static int localStart(String text, int at) {
    int start = at;
    while (start > 0 && at - start < LOCAL_MAX && isLocal(text.charAt(start - 1))) {
      start--;
    }
    return start;
  }

  private static boolean isLocal(char c) {
    return c < 128
        ? CharClasses.is(c, CharClasses.WORD) || ".+%'!#$&*?^{|}~".indexOf(c) >= 0
        : !CharClasses.isSpace(c);
  }

  private static int domainEnd(String text, int from) {
    int end = from;
    while (end < text.length() && end - from < DOMAIN_MAX && isDomain(text.charAt(end))) {
      end++;
    }
    while (end > from && ".-".indexOf(text.charAt(end - 1)) >= 0) {
      end--;
    }
    return end;
  }

  private static boolean isDomain(char c) {
    return c < 128
        ? CharClasses.is(c, CharClasses.ALNUM) || c == '.' || c == '-'
        : Character.isLetter(c);
  }

  /** A top-level domain has no digits, unlike a version after an {@code @}. */
  private static boolean isDomain(String text, int start, int end) {
    int dot = CharClasses.last(text, '.', start, end);
    return dot > start
        && end - dot > 2
        && text.substring(dot + 1, end).chars().noneMatch(Character::isDigit);
  }
}
