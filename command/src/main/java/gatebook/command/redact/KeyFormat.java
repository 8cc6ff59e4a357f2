package gatebook.command.redact;

import java.util.List;
import java.util.stream.Stream;

/**
 * The format of a provider's keys: a prefix and the minimum number of characters after it.
 *
 * @param mixed whether a digit or a capital must follow, because words have this prefix too
 */
record KeyFormat(String prefix, int restMin, boolean mixed) {

  /** A key has its first digit or capital within so many characters; searching on would be slow. */
  private static final int MIXED_WITHIN = 64;

  static final List<KeyFormat> ALL =
      Stream.of(
              any(10, "xoxa- xoxb- xoxe- xoxp- xoxr- xoxs- sk_live_ rk_live_"),
              any(16, "glpat- GOCSPX- dckr_pat_ dckr_oat_"),
              any(20, "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ dop_v1_ doo_v1_ dor_v1_"),
              any(20, "shpat_ shpss_ shpca_ shppa_ AGE-SECRET-KEY-"),
              any(30, "AIza"),
              mixed(10, "xapp- sk_test_ rk_test_ xwfp-"),
              mixed(16, "gldt- glrt- glptt- glcbt- glsoat- gloas- glft- whsec_ LTAI tskey-"),
              mixed(20, "sk- glsa_ sq0atp- sq0csp- lin_api_ PMAK- NRAK- glc_ sntrys_ sntryu_"),
              mixed(20, "pscale_tkn_ pscale_pw_ figd_"),
              mixed(24, "hf_ re_"),
              mixed(30, "npm_ pypi- ntn_ r8_ rubygems_ ATATT3 ATCTT3 AKID gsk_ xai- pplx-"),
              mixed(30, "sbp_ phc_ phx_"),
              mixed(32, "dapi"),
              mixed(40, "EAAC secret_"))
          .flatMap(formats -> formats)
          .toList();

  private static Stream<KeyFormat> any(int restMin, String prefixes) {
    return Stream.of(prefixes.split(" ")).map(prefix -> new KeyFormat(prefix, restMin, false));
  }

  private static Stream<KeyFormat> mixed(int restMin, String prefixes) {
    return Stream.of(prefixes.split(" ")).map(prefix -> new KeyFormat(prefix, restMin, true));
  }

  /** Whether the range starts as a key of a provider does. */
  static boolean isKey(String text, int start, int end) {
    for (KeyFormat format : ALL) {
      if (format.prefix.charAt(0) == text.charAt(start) && format.matches(text, start, end)) {
        return true;
      }
    }
    return false;
  }

  private boolean matches(String text, int start, int end) {
    int rest = start + prefix.length();
    return end - rest >= restMin
        && text.startsWith(prefix, start)
        && (!mixed || isMixed(text, rest, end));
  }

  /** Whether a digit or a capital is among the first characters of the range. */
  static boolean isMixed(String text, int start, int end) {
    int limit = Math.min(end, start + MIXED_WITHIN);
    return CharClasses.contains(text, start, limit, CharClasses.UPPER | CharClasses.DIGIT);
  }
}
