package gatebook.api.flow.schema;

import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Translates what patterns of JSON Schema write in another way than patterns of RE2. */
final class EcmaPattern {
  private static final Pattern DIFFERENT =
      Pattern.compile(
          """
          \\\\u\\{(?<code>[0-9A-Fa-f]{1,6})\\}\
          |\\\\u(?<unit>[0-9A-Fa-f]{4})\
          |\\\\c(?<control>[A-Za-z])\
          |\\\\.\
          |\\(\\?<(?<name>[A-Za-z_])\
          """,
          Pattern.DOTALL);

  private EcmaPattern() {}

  static String translate(String pattern) {
    return DIFFERENT
        .matcher(pattern)
        .replaceAll(found -> Matcher.quoteReplacement(translated(found)));
  }

  private static String translated(MatchResult found) {
    if (found.group("code") != null) {
      return "\\x{%s}".formatted(found.group("code"));
    }
    if (found.group("unit") != null) {
      return "\\x{%s}".formatted(found.group("unit"));
    }
    if (found.group("control") != null) {
      return "\\x{%x}".formatted(found.group("control").charAt(0) % 32);
    }
    return found.group("name") == null ? found.group() : "(?P<" + found.group("name");
  }
}
