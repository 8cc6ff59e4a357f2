package gatebook.command.redact;

import gatebook.command.redact.SecretNames.Says;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds values whose name says that they are secret: {@code name=value}, {@code name: value},
 * {@code "name": "value"} (also inside a quoted text, where its quotes are escaped), {@code --name
 * value}, headers, and parameters of URLs and forms.
 */
final class Pairs implements Detector {

  private static final int BLANKS_MAX = 8;
  private static final Set<String> NO_VALUES =
      Set.of("null", "none", "nil", "true", "false", "undefined");

  /** What parsers say of a token of theirs. */
  private static final Set<String> PARSERS =
      Set.of("unexpected", "unrecognized", "illegal", "expected", "offending");

  private static final Set<String> SCHEMES =
      Set.of("bearer", "basic", "token", "apikey", "negotiate");

  private static final Set<String> SECOND_WORDS = Set.of("key", "keys", "id", "phrase", "string");

  private final SecretNames names;

  Pairs(SecretNames names) {
    this.names = names;
  }

  @Override
  public void find(String text, Findings findings) {
    for (int at = 0; at < text.length(); ) {
      int from = at;
      at = separatorEnd(text, from);
      if (at > from) {
        at = Math.max(at, value(text, says(text, from), at, findings));
      } else {
        at = Math.max(from + 1, option(text, from, findings));
      }
    }
  }

  /** The end of what separates a name from its value here; the place itself when nothing does. */
  private static int separatorEnd(String text, int at) {
    return switch (text.charAt(at)) {
      case '=' -> pastArrow(text, at);
      case ':' -> isColon(text, at) ? pastArrow(text, at + 1) : at;
      case '%' -> text.regionMatches(true, at, "%3d", 0, 3) ? at + 3 : at;
      default -> at;
    };
  }

  /** Of {@code =}, {@code ==}, {@code =>}, {@code :=}. */
  private static int pastArrow(String text, int at) {
    int end = at;
    while (end < text.length() && (text.charAt(end) == '=' || text.charAt(end) == '>')) {
      end++;
    }
    return end;
  }

  private static boolean isColon(String text, int at) {
    return !text.startsWith("//", at + 1)
        && !text.startsWith(":", at + 1)
        && !text.startsWith(":", at - 1);
  }

  private Says says(String text, int separator) {
    int end = unquoted(text, Chars.back(text, separator, BLANKS_MAX, Chars.BLANK));
    int start = nameStart(text, end);
    if (start == end || isNoName(text, start, separator)) {
      return Says.NOTHING;
    }
    String name = text.substring(start, end);
    return SECOND_WORDS.contains(name)
        ? names.of(text.substring(nameStart(text, Math.max(0, start - 1)), end))
        : isParsers(text, start, name) ? Says.NOTHING : names.of(name);
  }

  /** The end of a path before a colon, and a marker. */
  private static boolean isNoName(String text, int start, int separator) {
    return (text.charAt(separator) == ':' && text.startsWith("/", start - 1))
        || Marker.end(text, start - 1) >= 0;
  }

  /** Before the quote or bracket that closes a name. */
  private static int unquoted(String text, int end) {
    if (!Chars.isAt(text, end - 1, Chars.QUOTE) && !text.startsWith("]", end - 1)) {
      return end;
    }
    int at = end - 1;
    while (at > 0 && end - at <= BLANKS_MAX && text.charAt(at - 1) == '\\') {
      at--;
    }
    return at;
  }

  private static int nameStart(String text, int end) {
    return Chars.back(text, end, SecretNames.LENGTH_MAX, Chars.WORD);
  }

  private static boolean isParsers(String text, int start, String name) {
    int before = Chars.back(text, start, 1, Chars.BLANK);
    String word = text.substring(nameStart(text, before), before);
    return name.equalsIgnoreCase("token") && PARSERS.contains(word.toLowerCase(Locale.ROOT));
  }

  /** Where the value ends when it was taken out, else where it may begin. */
  private static int value(String text, Says says, int from, Findings findings) {
    if (says == Says.NOTHING) {
      return from;
    }
    int start = Chars.skip(text, from, Chars.BLANK);
    Extent value = says == Says.SECRET_LINE ? header(text, start) : Extent.of(text, start);
    if (value == null || isHarmless(text.substring(value.start(), value.end()), says)) {
      return from;
    }
    findings.add(value.start(), value.end(), Kind.NAMED);
    return value.end();
  }

  /** What is quoted or a structure, as any value; else a scheme with its word, or the line. */
  private static @Nullable Extent header(String text, int start) {
    if (start >= text.length() || "\"'\\[{".indexOf(text.charAt(start)) >= 0) {
      return Extent.of(text, start);
    }
    int scheme = Chars.skip(text, start, Chars.WORD);
    int word = Chars.skip(text, scheme, Chars.BLANK);
    if (word > scheme && SCHEMES.contains(text.substring(start, scheme).toLowerCase(Locale.ROOT))) {
      Extent credentials = Extent.of(text, word);
      return credentials == null ? null : new Extent(start, credentials.end());
    }
    return Extent.ofLine(text, start);
  }

  private static boolean isHarmless(String value, Says says) {
    return NO_VALUES.contains(value)
        || (says == Says.PERHAPS && Chars.skip(value, 0, Chars.DIGIT) == value.length());
  }

  private int option(String text, int at, Findings findings) {
    if (!text.startsWith("--", at) || Chars.isAt(text, at - 1, Chars.WORD)) {
      return at;
    }
    int end = Chars.skip(text, at, Chars.WORD);
    int value = Chars.skip(text, end, Chars.BLANK);
    return value == end || text.startsWith("-", value)
        ? at
        : value(
            text,
            names.of(text.substring(at, Math.min(end, at + SecretNames.LENGTH_MAX))),
            end,
            findings);
  }
}
