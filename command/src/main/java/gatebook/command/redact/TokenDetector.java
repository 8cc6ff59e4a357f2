package gatebook.command.redact;

import java.util.List;
import java.util.Set;

/** Finds tokens by what they look like: keys of known makers, web tokens, long hex, randomness. */
final class TokenDetector implements Detector {

  static final int SHORTEST = 15;
  private static final int MIXED = CharClasses.UPPER | CharClasses.DIGIT;

  /** A key has its first digit or capital within so many characters; looking on would be slow. */
  private static final int MIXED_WITHIN = 64;

  private static final int HEX_MIN = 32;
  private static final int HEX_DIGITS_MIN = 8;
  private static final int NAMED_MIN = 20;
  private static final int NAMED_MAX = 4_096;
  private static final int WEB_TOKEN_MIN = 16;
  private static final String WEB_TOKEN = "eyJ";

  /**
   * How the keys of one maker begin, and how many characters follow at least.
   *
   * @param mixed whether a digit or a capital has to follow, because words begin like this too
   */
  private record Shape(String prefix, int restMin, boolean mixed) {
    boolean fits(String text, int start, int end) {
      int rest = start + prefix.length();
      return end - rest >= restMin
          && text.startsWith(prefix, start)
          && (!mixed || CharClasses.has(text, rest, Math.min(end, rest + MIXED_WITHIN), MIXED));
    }
  }

  private static final List<Shape> SHAPES =
      List.of(
          new Shape("ghp_", 20, false),
          new Shape("gho_", 20, false),
          new Shape("ghu_", 20, false),
          new Shape("ghs_", 20, false),
          new Shape("ghr_", 20, false),
          new Shape("github_pat_", 20, false),
          new Shape("glpat-", 16, false),
          new Shape("gldt-", 16, true),
          new Shape("glrt-", 16, true),
          new Shape("glptt-", 16, true),
          new Shape("glcbt-", 16, true),
          new Shape("glsoat-", 16, true),
          new Shape("xoxa-", 10, false),
          new Shape("xoxb-", 10, false),
          new Shape("xoxe-", 10, false),
          new Shape("xoxp-", 10, false),
          new Shape("xoxr-", 10, false),
          new Shape("xoxs-", 10, false),
          new Shape("xapp-", 10, true),
          new Shape("sk_live_", 10, false),
          new Shape("sk_test_", 10, true),
          new Shape("rk_live_", 10, false),
          new Shape("rk_test_", 10, true),
          new Shape("whsec_", 16, true),
          new Shape("sk-", 20, true),
          new Shape("AIza", 30, false),
          new Shape("GOCSPX-", 16, false),
          new Shape("npm_", 30, true),
          new Shape("pypi-", 30, true),
          new Shape("hf_", 24, true),
          new Shape("glsa_", 20, true),
          new Shape("dop_v1_", 20, false),
          new Shape("shpat_", 20, false),
          new Shape("dckr_pat_", 16, false),
          new Shape("AGE-SECRET-KEY-", 20, false),
          new Shape("gloas-", 16, true),
          new Shape("glft-", 16, true),
          new Shape("xwfp-", 10, true),
          new Shape("sq0atp-", 20, true),
          new Shape("sq0csp-", 20, true),
          new Shape("EAAC", 40, true),
          new Shape("shpss_", 20, false),
          new Shape("shpca_", 20, false),
          new Shape("shppa_", 20, false),
          new Shape("lin_api_", 20, true),
          new Shape("ntn_", 30, true),
          new Shape("secret_", 40, true),
          new Shape("PMAK-", 20, true),
          new Shape("dapi", 32, true),
          new Shape("NRAK-", 20, true),
          new Shape("glc_", 20, true),
          new Shape("sntrys_", 20, true),
          new Shape("sntryu_", 20, true),
          new Shape("doo_v1_", 20, false),
          new Shape("dor_v1_", 20, false),
          new Shape("r8_", 30, true),
          new Shape("pscale_tkn_", 20, true),
          new Shape("pscale_pw_", 20, true),
          new Shape("figd_", 20, true),
          new Shape("rubygems_", 30, true),
          new Shape("dckr_oat_", 16, false),
          new Shape("ATATT3", 30, true),
          new Shape("ATCTT3", 30, true),
          new Shape("LTAI", 16, true),
          new Shape("AKID", 30, true),
          new Shape("gsk_", 30, true),
          new Shape("xai-", 30, true),
          new Shape("pplx-", 30, true),
          new Shape("tskey-", 16, true),
          new Shape("sbp_", 30, true),
          new Shape("re_", 24, true),
          new Shape("phc_", 30, true),
          new Shape("phx_", 30, true));

  /** What stands before a dot in keys that have one. */
  private static final Set<String> DOTTED = Set.of("SG", "ya29", "hvs", "hvb", "hvr");

  private static final int DOTTED_MIN = 20;

  private static final List<String> CLOUD_KEYS = List.of("AKIA", "ASIA", "ABIA", "ACCA");
  private static final int CLOUD_KEY_LENGTH = 20;

  /** How digests are announced, and how many hex digits follow: no secret calls itself one. */
  private record Announced(String algorithm, int digits) {}

  private static final List<Announced> DIGESTS =
      List.of(
          new Announced("sha256:", 64),
          new Announced("sha512:", 128),
          new Announced("sha1:", 40),
          new Announced("md5:", 32));

  private static final String TRACE_PARENT_VERSION = "00-";
  private static final int BEHIND_VERSION_LENGTH = 52;
  private static final int TRACE_ID_LENGTH = 32;

  /** Whether 32 hex digits may be the trace id that they look like. */
  private final boolean traceIdsPass;

  TokenDetector(boolean traceIdsPass) {
    this.traceIdsPass = traceIdsPass;
  }

  @Override
  public void find(String text, ScrubFindings scrubFindings) {
    for (int at = 0; at < text.length(); ) {
      int start = CharClasses.seek(text, at, CharClasses.JOINED);
      at = CharClasses.skip(text, start, CharClasses.JOINED);
      if (at - start >= SHORTEST) {
        inJoined(text, start, at, scrubFindings);
      }
    }
  }

  private void inJoined(String text, int start, int end, ScrubFindings scrubFindings) {
    if (isDotted(text, start, end)) {
      scrubFindings.add(start, trimmed(text, start, end), SecretKind.API_KEY);
      return;
    }
    if (shaped(text, start, end, scrubFindings)) {
      return;
    }
    int from = pastName(text, start, end);
    if (isNamedKey(text, from, trimmed(text, from, end))) {
      scrubFindings.add(from, trimmed(text, from, end), SecretKind.NAMED);
    } else if (RandomnessScore.looksRandom(text, from, end)) {
      scrubFindings.add(from, trimmed(text, from, end), SecretKind.RANDOM);
    } else {
      randomWords(text, from, end, scrubFindings);
    }
  }

  private static boolean isDotted(String text, int start, int end) {
    int dot = CharClasses.skip(text, start, CharClasses.ALNUM);
    return end - dot > DOTTED_MIN
        && dot - start <= 4
        && text.startsWith(".", dot)
        && DOTTED.contains(text.substring(start, dot))
        && CharClasses.has(text, dot, Math.min(end, dot + MIXED_WITHIN), MIXED);
  }

  /** Whether anything was found that says by its beginning or its digits what it is. */
  private boolean shaped(String text, int start, int end, ScrubFindings scrubFindings) {
    boolean found = false;
    for (int at = start; at < end; ) {
      int word = CharClasses.seek(text, at, CharClasses.WORD);
      at = CharClasses.skip(text, word, CharClasses.WORD);
      if (at - word >= SHORTEST) {
        int foundEnd = inWord(text, word, at, end, scrubFindings);
        found |= foundEnd > 0;
        at = Math.max(at, foundEnd);
      }
    }
    return found;
  }

  /** Where what was found ends; -1 when nothing was. */
  private int inWord(String text, int start, int end, int joinedEnd, ScrubFindings scrubFindings) {
    for (int at = start; at < end; at = nextSegment(text, at, end)) {
      if (isWebToken(text, at, end)) {
        int tokenEnd = trimmed(text, at, joinedEnd);
        scrubFindings.add(at, tokenEnd, SecretKind.WEB_TOKEN);
        return tokenEnd;
      }
      if (isKnown(text, at, end)) {
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

  /** Shorter ones than stand for themselves, where a word before says what they are. */
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
        && !isAnnouncedDigest(text, start, end);
  }

  private static void randomWords(String text, int start, int end, ScrubFindings scrubFindings) {
    for (int at = start; at < end; ) {
      int word = CharClasses.seek(text, at, CharClasses.WORD);
      at = CharClasses.skip(text, word, CharClasses.WORD);
      if (RandomnessScore.looksRandom(text, word, at)) {
        scrubFindings.add(word, padded(text, at), SecretKind.RANDOM);
      }
    }
  }

  /** Behind the {@code =} of a pair, which padding is not. */
  private static int pastName(String text, int start, int end) {
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

  private static boolean isKnown(String text, int at, int end) {
    return isCloudKey(text, at, end) || isOfAKnownMaker(text, at, end);
  }

  private static boolean isCloudKey(String text, int at, int end) {
    return end - at >= CLOUD_KEY_LENGTH
        && CLOUD_KEYS.contains(text.substring(at, at + 4))
        && CharClasses.skip(text, at, CharClasses.UPPER | CharClasses.DIGIT)
            == at + CLOUD_KEY_LENGTH;
  }

  private static boolean isOfAKnownMaker(String text, int at, int end) {
    for (Shape shape : SHAPES) {
      if (shape.prefix.charAt(0) == text.charAt(at) && shape.fits(text, at, end)) {
        return true;
      }
    }
    return false;
  }

  private boolean isLongHex(String text, int segment, int wordEnd) {
    int start = text.startsWith("0x", segment) ? segment + 2 : segment;
    int end = Math.min(wordEnd, CharClasses.skip(text, start, CharClasses.HEX));
    boolean whole = end == wordEnd || !CharClasses.isAt(text, end, CharClasses.ALNUM);
    return whole
        && end - start >= HEX_MIN
        && isVaried(text, start, end)
        && !isAnnouncedDigest(text, start, end)
        && !isTraceId(text, start, end);
  }

  /** Padding and rulers are no secrets, and numbers have no letters. */
  private static boolean isVaried(String text, int start, int end) {
    int seen = 0;
    for (int at = start; at < end; at++) {
      seen |= 1 << Character.digit(text.charAt(at), 16);
    }
    return Integer.bitCount(seen) >= HEX_DIGITS_MIN && seen >>> 10 != 0 && (seen & 0x3ff) != 0;
  }

  private static boolean isAnnouncedDigest(String text, int start, int end) {
    for (Announced digest : DIGESTS) {
      int length = digest.algorithm.length();
      if (end - start == digest.digits
          && text.regionMatches(true, start - length, digest.algorithm, 0, length)) {
        return true;
      }
    }
    return false;
  }

  private boolean isTraceId(String text, int start, int end) {
    return end - start == TRACE_ID_LENGTH && (traceIdsPass || isInTraceParent(text, start));
  }

  private static boolean isInTraceParent(String text, int start) {
    return text.startsWith(TRACE_PARENT_VERSION, start - TRACE_PARENT_VERSION.length())
        && text.length() - start >= BEHIND_VERSION_LENGTH
        && CharClasses.back(
                text, start + BEHIND_VERSION_LENGTH, BEHIND_VERSION_LENGTH, CharClasses.WORD)
            == start
        && !CharClasses.isAt(text, start + BEHIND_VERSION_LENGTH, CharClasses.WORD);
  }

  /** Dots behind a token end the sentence. */
  private static int trimmed(String text, int start, int end) {
    int at = end;
    while (at > start && text.charAt(at - 1) == '.') {
      at--;
    }
    return at;
  }

  private static int padded(String text, int end) {
    int at = end;
    while (at - end < 2 && at < text.length() && text.charAt(at) == '=') {
      at++;
    }
    return at;
  }
}
