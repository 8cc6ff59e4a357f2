package gatebook.command.redact;

import java.util.List;
import java.util.Set;

/** Detects tokens by their form: keys of known providers, web tokens, long hex, randomness. */
final class TokenDetector implements Detector {

  static final int LENGTH_MIN = 15;
  private static final int HEX_MIN = 32;
  private static final int HEX_DIGITS_MIN = 8;
  private static final int NAMED_MIN = 20;
  private static final int NAMED_MAX = 4_096;
  private static final int WEB_TOKEN_MIN = 16;
  private static final String WEB_TOKEN = "eyJ";

  /** Prefixes of keys that end with a dot. */
  private static final Set<String> DOTTED = Set.of("SG", "ya29", "hvs", "hvb", "hvr");

  private static final int DOTTED_MIN = 20;

  private static final List<String> CLOUD_KEYS = List.of("AKIA", "ASIA", "ABIA", "ACCA");
  private static final int CLOUD_KEY_LENGTH = 20;

  /** The label of a digest and its number of hex digits: a labelled digest is no secret. */
  private record DigestLabel(String algorithm, int digits) {}

  private static final List<DigestLabel> DIGESTS =
      List.of(
          new DigestLabel("sha256:", 64),
          new DigestLabel("sha512:", 128),
          new DigestLabel("sha1:", 40),
          new DigestLabel("md5:", 32));

  private static final String TRACE_PARENT_VERSION = "00-";
  private static final int AFTER_VERSION_LENGTH = 52;
  private static final int TRACE_ID_LENGTH = 32;

  /** Whether 32 hex digits are taken for a trace id and stay. */
  private final boolean allowTraceIds;

  TokenDetector(boolean allowTraceIds) {
    this.allowTraceIds = allowTraceIds;
  }

  @Override
  public void find(String text, ScrubFindings scrubFindings) {
    for (int at = 0; at < text.length(); ) {
      int start = CharClasses.seek(text, at, CharClasses.JOINED);
      at = CharClasses.skip(text, start, CharClasses.JOINED);
      if (at - start >= LENGTH_MIN) {
        findInRun(text, start, at, scrubFindings);
      }
    }
  }

  private void findInRun(String text, int start, int end, ScrubFindings scrubFindings) {
    if (isDotted(text, start, end)) {
      scrubFindings.add(start, CharClasses.trim(text, start, end, "."), SecretKind.API_KEY);
      return;
    }
    if (findByFormat(text, start, end, scrubFindings)) {
      return;
    }
    int from = skipName(text, start, end);
    int last = CharClasses.trim(text, from, end, ".");
    if (isNamedKey(text, from, last)) {
      scrubFindings.add(from, last, SecretKind.NAMED);
    } else if (RandomnessScore.looksRandom(text, from, end)) {
      scrubFindings.add(from, last, SecretKind.RANDOM);
    } else {
      findRandomWords(text, from, end, scrubFindings);
    }
  }

  private static boolean isDotted(String text, int start, int end) {
    int dot = CharClasses.skip(text, start, CharClasses.ALNUM);
    return end - dot > DOTTED_MIN
        && dot - start <= 4
        && text.startsWith(".", dot)
        && DOTTED.contains(text.substring(start, dot))
        && KeyFormat.isMixed(text, dot, end);
  }

  /** Finds tokens with a known prefix or long hex digits; returns whether there were any. */
  private boolean findByFormat(String text, int start, int end, ScrubFindings scrubFindings) {
    boolean found = false;
    for (int at = start; at < end; ) {
      int word = CharClasses.seek(text, at, CharClasses.WORD);
      at = CharClasses.skip(text, word, CharClasses.WORD);
      if (at - word >= LENGTH_MIN) {
        int foundEnd = findInWord(text, word, at, end, scrubFindings);
        found |= foundEnd > 0;
        at = Math.max(at, foundEnd);
      }
    }
    return found;
  }

  /** The end of the token found in a word; -1 if there is none. */
  private int findInWord(
      String text, int start, int end, int joinedEnd, ScrubFindings scrubFindings) {
    for (int at = start; at < end; at = nextSegment(text, at, end)) {
      if (isWebToken(text, at, end)) {
        int tokenEnd = CharClasses.trim(text, at, joinedEnd, ".");
        scrubFindings.add(at, tokenEnd, SecretKind.WEB_TOKEN);
        return tokenEnd;
      }
      if (isCloudKey(text, at, end) || KeyFormat.isKey(text, at, end)) {
        scrubFindings.add(at, padded(text, end), SecretKind.API_KEY);
        return end;
      }
      if (isLongHex(text, at, end)) {
        scrubFindings.add(at, end, SecretKind.RANDOM);
        return end;
      }
    }
    return -1;
  }

  /** Whether it is a key too short to be recognised without the name before it. */
  private static boolean isNamedKey(String text, int from, int end) {
    return end - from >= NAMED_MIN
        && end - from <= NAMED_MAX
        && (isNamedHex(text, from, end) || RandomnessScore.looksRandom(text, from, end, NAMED_MIN))
        && KeyNaming.isKeyNamed(text, from);
  }

  private static boolean isNamedHex(String text, int from, int end) {
    int start = text.startsWith("0x", from) ? from + 2 : from;
    return end - start >= NAMED_MIN
        && CharClasses.skip(text, start, CharClasses.HEX) >= end
        && isVaried(text, start, end)
        && !isLabelledDigest(text, start, end);
  }

  private static void findRandomWords(
      String text, int start, int end, ScrubFindings scrubFindings) {
    for (int at = start; at < end; ) {
      int word = CharClasses.seek(text, at, CharClasses.WORD);
      at = CharClasses.skip(text, word, CharClasses.WORD);
      if (RandomnessScore.looksRandom(text, word, at)) {
        scrubFindings.add(word, padded(text, at), SecretKind.RANDOM);
      }
    }
  }

  /** The index after the {@code =} of a pair; an {@code =} of padding does not count. */
  private static int skipName(String text, int start, int end) {
    int at = text.indexOf('=', start, end);
    return at >= 0 && CharClasses.isAt(text, at + 1, CharClasses.WORD) ? at + 1 : start;
  }

  private static int nextSegment(String text, int from, int end) {
    int at = CharClasses.skip(text, from, CharClasses.ALNUM);
    return Math.min(end, at + 1);
  }

  private static boolean isWebToken(String text, int at, int end) {
    return text.startsWith(WEB_TOKEN, at)
        && (end - at >= WEB_TOKEN_MIN || text.startsWith(".", end));
  }

  private static boolean isCloudKey(String text, int at, int end) {
    return end - at >= CLOUD_KEY_LENGTH
        && CLOUD_KEYS.contains(text.substring(at, at + 4))
        && CharClasses.skip(text, at, CharClasses.UPPER | CharClasses.DIGIT)
            == at + CLOUD_KEY_LENGTH;
  }

  private boolean isLongHex(String text, int segment, int wordEnd) {
    int start = text.startsWith("0x", segment) ? segment + 2 : segment;
    int end = Math.min(wordEnd, CharClasses.skip(text, start, CharClasses.HEX));
    boolean whole = end == wordEnd || !CharClasses.isAt(text, end, CharClasses.ALNUM);
    return whole
        && end - start >= HEX_MIN
        && isVaried(text, start, end)
        && !isLabelledDigest(text, start, end)
        && !isTraceId(text, start, end);
  }

  /** Whether digits and letters vary: padding and rulers are no secrets, nor are numbers. */
  private static boolean isVaried(String text, int start, int end) {
    int seen = 0;
    for (int at = start; at < end; at++) {
      seen |= 1 << Character.digit(text.charAt(at), 16);
    }
    return Integer.bitCount(seen) >= HEX_DIGITS_MIN && seen >>> 10 != 0 && (seen & 0x3ff) != 0;
  }

  private static boolean isLabelledDigest(String text, int start, int end) {
    for (DigestLabel digest : DIGESTS) {
      int length = digest.algorithm.length();
      if (end - start == digest.digits
          && text.regionMatches(true, start - length, digest.algorithm, 0, length)) {
        return true;
      }
    }
    return false;
  }

  private boolean isTraceId(String text, int start, int end) {
    return end - start == TRACE_ID_LENGTH && (allowTraceIds || isInTraceParent(text, start));
  }

  private static boolean isInTraceParent(String text, int start) {
    return text.startsWith(TRACE_PARENT_VERSION, start - TRACE_PARENT_VERSION.length())
        && text.length() - start >= AFTER_VERSION_LENGTH
        && CharClasses.skipBack(
                text, start + AFTER_VERSION_LENGTH, AFTER_VERSION_LENGTH, CharClasses.WORD)
            == start
        && !CharClasses.isAt(text, start + AFTER_VERSION_LENGTH, CharClasses.WORD);
  }

  private static int padded(String text, int end) {
    return CharClasses.skipAny(text, end, Math.min(text.length(), end + 2), "=");
  }
}
