package gatebook.command.redact;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Base64;

/** Detects credentials after the authentication schemes {@code Bearer} and {@code Basic}. */
final class AuthSchemeDetector implements Detector {

  private static final String BEARER = "bearer";
  private static final String BASIC = "basic";
  private static final int BEARER_MIN = 6;
  private static final int BEARER_PLAIN_MIN = 20;
  private static final int BASIC_MIN = 8;

  @Override
  public void find(String text, ScrubFindings scrubFindings) {
    for (int at = 0; at < text.length(); at++) {
      char c = text.charAt(at);
      if ((c == 'b' || c == 'B') && !CharClasses.isAt(text, at - 1, CharClasses.WORD)) {
        at = Math.max(at, findAt(text, at, scrubFindings) - 1);
      }
    }
  }

  private static int findAt(String text, int at, ScrubFindings scrubFindings) {
    String scheme = scheme(text, at);
    int start = CharClasses.skip(text, at + scheme.length(), CharClasses.BLANK);
    if (scheme.isEmpty() || start == at + scheme.length()) {
      return at;
    }
    int end = CharClasses.skip(text, start, CharClasses.JOINED);
    boolean secret =
        scheme.equals(BEARER) ? isToken(text, start, end) : isNameAndPassword(text, start, end);
    if (secret) {
      scrubFindings.add(start, end, SecretKind.BEARER);
    }
    return end;
  }

  private static String scheme(String text, int at) {
    return text.regionMatches(true, at, BEARER, 0, BEARER.length())
        ? BEARER
        : text.regionMatches(true, at, BASIC, 0, BASIC.length()) ? BASIC : "";
  }

  /** A short word of lower-case letters, perhaps capitalised, may belong to a sentence. */
  private static boolean isToken(String text, int start, int end) {
    return end - start >= BEARER_PLAIN_MIN
        || (end - start >= BEARER_MIN
            && CharClasses.contains(text, start + 1, end, CharClasses.UPPER | CharClasses.DIGIT));
  }

  private static boolean isNameAndPassword(String text, int start, int end) {
    if (end - start < BASIC_MIN) {
      return false;
    }
    try {
      byte[] decoded = Base64.getDecoder().decode(text.substring(start, end));
      return new String(decoded, ISO_8859_1).indexOf(':') >= 0;
    } catch (IllegalArgumentException _) {
      return false;
    }
  }
}
