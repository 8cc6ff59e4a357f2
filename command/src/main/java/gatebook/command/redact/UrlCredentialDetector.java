package gatebook.command.redact;

import java.util.Locale;
import java.util.Set;

/** Detects user and password before the host of a URL. */
final class UrlCredentialDetector implements Detector {

  private static final String AUTHORITY = "://";
  private static final int SCHEME_MAX = 16;
  private static final Set<String> WEB_SCHEMES = Set.of("http", "https", "ws", "wss", "git", "ftp");

  @Override
  public void find(String text, ScrubFindings scrubFindings) {
    int at = text.indexOf(AUTHORITY);
    while (at >= 0) {
      int start = at + AUTHORITY.length();
      int end = end(text, start);
      if (CharClasses.isAt(text, at - 1, CharClasses.WORD)) {
        scrubFindings.add(start, userEnd(text, at, start, end), SecretKind.URL_CREDENTIALS);
      }
      at = text.indexOf(AUTHORITY, end);
    }
  }

  /** The end of a URL that started before: a blank, a quote, or the end of the text. */
  static int end(String text, int from) {
    return CharClasses.seek(
        text, from, CharClasses.SPACE | CharClasses.QUOTE | CharClasses.BACKSLASH);
  }

  /**
   * The index of the {@code @}. The password before it may not be encoded correctly and contain
   * another one or a slash.
   */
  private static int userEnd(String text, int scheme, int start, int end) {
    int authority = CharClasses.seekAny(text, start, end, "/?#");
    int at = CharClasses.last(text, '@', start, authority);
    int colon = text.indexOf(':', start, at >= start ? at : authority);
    if (at >= start) {
      return colon < 0 ? at : CharClasses.last(text, '@', start, queryStart(text, at, end));
    }
    boolean port = colon < 0 || CharClasses.skip(text, colon + 1, CharClasses.DIGIT) >= authority;
    return port && (colon < 0 || isWeb(text, scheme))
        ? start
        : CharClasses.last(text, '@', start, port ? queryStart(text, authority, end) : end);
  }

  /** Whether it is a web URL, where a port is more likely than a password of digits. */
  private static boolean isWeb(String text, int scheme) {
    int name = CharClasses.skipBack(text, scheme, SCHEME_MAX, CharClasses.WORD);
    return WEB_SCHEMES.contains(text.substring(name, scheme).toLowerCase(Locale.ROOT));
  }

  private static int queryStart(String text, int from, int end) {
    return CharClasses.seekAny(text, from, end, "?#");
  }
}
