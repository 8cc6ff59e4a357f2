package gatebook.command.redact;

import java.util.List;
import java.util.Set;

/** Detects tokens by their form: keys of known providers, web tokens, long hex, randomness. */
final class TokenDetector implements Detector {

  static final int LENGTH_MIN = 15;
  private static final int MIXED = CharClasses.UPPER | CharClasses.DIGIT;

  /** A key has its first digit or capital within so many characters; searching on would be slow. */
  private static final int MIXED_WITHIN = 64;

  private static final int HEX_MIN = 32;
  private static final int HEX_DIGITS_MIN = 8;
  private static final int NAMED_MIN = 20;
  private static final int NAMED_MAX = 4_096;
  private static final int WEB_TOKEN_MIN = 16;
  private static final String WEB_TOKEN = "eyJ";

  /**
   * The format of a provider's keys: a prefix and the minimum number of characters after it.
   *
   * @param mixed whether a digit or a capital must follow, because words have this prefix too
   */
  private record KeyFormat(String prefix, int restMin, boolean mixed) {
    boolean matches(String text, int start, int end) {
      int rest = start + prefix.length();
      return end - rest >= restMin
          && text.startsWith(prefix, start)
          && (!mixed
              || CharClasses.contains(text, rest, Math.min(end, rest + MIXED_WITHIN), MIXED));
    }
  }

  private static final List<KeyFormat> KEY_FORMATS =
      List.of(
          new KeyFormat("ghp_", 20, false),
          new KeyFormat("gho_", 20, false),
          new KeyFormat("ghu_", 20, false),
          new KeyFormat("ghs_", 20, false),
          new KeyFormat("ghr_", 20, false),
          new KeyFormat("github_pat_", 20, false),
          new KeyFormat("glpat-", 16, false),
          new KeyFormat("gldt-", 16, true),
          new KeyFormat("glrt-", 16, true),
          new KeyFormat("glptt-", 16, true),
          new KeyFormat("glcbt-", 16, true),
          new KeyFormat("glsoat-", 16, true),
          new KeyFormat("xoxa-", 10, false),
          new KeyFormat("xoxb-", 10, false),
          new KeyFormat("xoxe-", 10, false),
          new KeyFormat("xoxp-", 10, false),
          new KeyFormat("xoxr-", 10, false),
          new KeyFormat("xoxs-", 10, false),
          new KeyFormat("xapp-", 10, true),
          new KeyFormat("sk_live_", 10, false),
          new KeyFormat("sk_test_", 10, true),
          new KeyFormat("rk_live_", 10, false),
          new KeyFormat("rk_test_", 10, true),
          new KeyFormat("whsec_", 16, true),
          new KeyFormat("sk-", 20, true),
          new KeyFormat("AIza", 30, false),
          new KeyFormat("GOCSPX-", 16, false),
          new KeyFormat("npm_", 30, true),
          new KeyFormat("pypi-", 30, true),
          new KeyFormat("hf_", 24, true),
          new KeyFormat("glsa_", 20, true),
          new KeyFormat("dop_v1_", 20, false),
          new KeyFormat("shpat_", 20, false),
          new KeyFormat("dckr_pat_", 16, false),
          new KeyFormat("AGE-SECRET-KEY-", 20, false),
          new KeyFormat("gloas-", 16, true),
          new KeyFormat("glft-", 16, true),
          new KeyFormat("xwfp-", 10, true),
          new KeyFormat("sq0atp-", 20, true),
          new KeyFormat("sq0csp-", 20, true),
          new KeyFormat("EAAC", 40, true),
          new KeyFormat("shpss_", 20, false),
          new KeyFormat("shpca_", 20, false),
          new KeyFormat("shppa_", 20, false),
          new KeyFormat("lin_api_", 20, true),
          new KeyFormat("ntn_", 30, true),
          new KeyFormat("secret_", 40, true),
          new KeyFormat("PMAK-", 20, true),
          new KeyFormat("dapi", 32, true),
          new KeyFormat("NRAK-", 20, true),
          new KeyFormat("glc_", 20, true),
          new KeyFormat("sntrys_", 20, true),
          new KeyFormat("sntryu_", 20, true),
          new KeyFormat("doo_v1_", 20, false),
          new KeyFormat("dor_v1_", 20, false),
          new KeyFormat("r8_", 30, true),
          new KeyFormat("pscale_tkn_", 20, true),
          new KeyFormat("pscale_pw_", 20, true),
          new KeyFormat("figd_", 20, true),
          new KeyFormat("rubygems_", 30, true),
          new KeyFormat("dckr_oat_", 16, false),
          new KeyFormat("ATATT3", 30, true),
          new KeyFormat("ATCTT3", 30, true),
          new KeyFormat("LTAI", 16, true),
          new KeyFormat("AKID", 30, true),
          new KeyFormat("gsk_", 30, true),
          new KeyFormat("xai-", 30, true),
          new KeyFormat("pplx-", 30, true),
          new KeyFormat("tskey-", 16, true),
          new KeyFormat("sbp_", 30, true),
          new KeyFormat("re_", 24, true),
          new KeyFormat("phc_", 30, true),
          new KeyFormat("phx_", 30, true));

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
      scrubFindings.add(start, trimmed(text, start, end), SecretKind.API_KEY);
      return;
    }
    if (findByFormat(text, start, end, scrubFindings)) {
      return;
    }
    int from = skipName(text, start, end);
    if (isNamedKey(text, from, trimmed(text, from, end))) {
      scrubFindings.add(from, trimmed(text, from, end), SecretKind.NAMED);
    } else if (RandomnessScore.looksRandom(text, from, end)) {
      scrubFindings.add(from, trimmed(text, from, end), SecretKind.RANDOM);
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
        && CharClasses.contains(text, dot, Math.min(end, dot + MIXED_WITHIN), MIXED);
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
        int tokenEnd = trimmed(text, at, joinedEnd);
        scrubFindings.add(at, tokenEnd, SecretKind.WEB_TOKEN);
        return tokenEnd;
      }
      if (isProviderKey(text, at, end)) {
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

  private static boolean isProviderKey(String text, int at, int end) {
    return isCloudKey(text, at, end) || hasKnownPrefix(text, at, end);
  }

  private static boolean isCloudKey(String text, int at, int end) {
    return end - at >= CLOUD_KEY_LENGTH
        && CLOUD_KEYS.contains(text.substring(at, at + 4))
        && CharClasses.skip(text, at, CharClasses.UPPER | CharClasses.DIGIT)
            == at + CLOUD_KEY_LENGTH;
  }

  private static boolean hasKnownPrefix(String text, int at, int end) {
    for (KeyFormat keyFormat : KEY_FORMATS) {
      if (keyFormat.prefix.charAt(0) == text.charAt(at) && keyFormat.matches(text, at, end)) {
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

  /** The end without trailing dots, which end the sentence. */
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
