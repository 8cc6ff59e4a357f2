package gatebook.command.redact;

/** Finds who is named, and how he proves it, before the host of a URL. */
final class Urls implements Detector {

  private static final String AUTHORITY = "://";

  @Override
  public void find(String text, Findings findings) {
    int at = text.indexOf(AUTHORITY);
    while (at >= 0) {
      int start = at + AUTHORITY.length();
      int end = end(text, start);
      if (Chars.isAt(text, at - 1, Chars.WORD)) {
        findings.add(start, userEnd(text, start, end), Kind.URL_CREDENTIALS);
      }
      at = text.indexOf(AUTHORITY, end);
    }
  }

  /** Where a URL ends that began before: at a blank, a quote, or the end. */
  static int end(String text, int from) {
    int end = from;
    while (end < text.length() && !endsUrl(text.charAt(end))) {
      end++;
    }
    return end;
  }

  private static boolean endsUrl(char c) {
    return Chars.isSpace(c) || Chars.is(c, Chars.QUOTE) || c == '\\';
  }

  /** The place of the {@code @}; passwords with a slash in them are not always written as %2F. */
  private static int userEnd(String text, int start, int end) {
    int authority = authorityEnd(text, start, end);
    int at = Chars.last(text, '@', start, authority);
    if (at >= start) {
      return at;
    }
    int colon = text.indexOf(':', start, authority);
    boolean port = colon < 0 || Chars.skip(text, colon + 1, Chars.DIGIT) >= authority;
    return port ? start : Chars.last(text, '@', start, end);
  }

  private static int authorityEnd(String text, int start, int end) {
    int at = start;
    while (at < end && "/?#".indexOf(text.charAt(at)) < 0) {
      at++;
    }
    return at;
  }
}
