package gatebook.command.redact;

/** Detects e-mail addresses. */
final class EmailDetector implements Detector {

  private static final int LOCAL_MAX = 64;
  private static final int DOMAIN_MAX = 255;

  @Override
  public void find(String text, ScrubFindings scrubFindings) {
    for (int at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
      int start = CharClasses.skipBack(text, at, LOCAL_MAX, CharClasses.EMAIL_NAME);
      int end = domainEnd(text, at + 1);
      if (start < at && isDomain(text, at + 1, end)) {
        scrubFindings.add(start, end, SecretKind.IDENTITY);
      }
    }
  }

  private static int domainEnd(String text, int from) {
    int limit = Math.min(text.length(), from + DOMAIN_MAX);
    int end = CharClasses.skip(text, from, limit, CharClasses.DOMAIN);
    return CharClasses.trim(text, from, end, ".-");
  }

  /** A top-level domain has no digits, unlike a version after an {@code @}. */
  private static boolean isDomain(String text, int start, int end) {
    int dot = CharClasses.last(text, '.', start, end);
    return dot > start
        && end - dot > 2
        && text.substring(dot + 1, end).chars().noneMatch(Character::isDigit);
  }
}
