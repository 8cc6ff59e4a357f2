package gatebook.command.redact;

import gatebook.command.redact.SecretNames.Secrecy;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Detects values whose name says that they are secret: {@code name=value}, {@code name: value},
 * {@code "name": "value"} (also inside a quoted text, where its quotes are escaped), {@code --name
 * value}, headers, and parameters of URLs and forms.
 */
final class NamedValueDetector implements Detector {

  private static final int BLANKS_MAX = 8;
  private static final Set<String> EMPTY_VALUES =
      Set.of("null", "none", "nil", "true", "false", "undefined");

  /** Words that parsers put before the word token. */
  private static final Set<String> PARSER_WORDS =
      Set.of("unexpected", "unrecognized", "illegal", "expected", "offending");

  private static final Set<String> SCHEMES =
      Set.of("bearer", "basic", "token", "apikey", "negotiate");

  private static final Set<String> SECOND_WORDS = Set.of("key", "keys", "id", "phrase", "string");

  private final SecretNames names;

  NamedValueDetector(SecretNames names) {
    this.names = names;
  }

  @Override
  public void find(String text, ScrubFindings scrubFindings) {
    for (int at = 0; at < text.length(); ) {
      int from = at;
      at = separatorEnd(text, from);
      if (at > from) {
        at = Math.max(at, findValue(text, secrecy(text, from), at, scrubFindings));
      } else {
        at = Math.max(from + 1, findOption(text, from, scrubFindings));
      }
    }
  }

  /** The end of the separator between a name and its value here; {@code at} if there is none. */
  private static int separatorEnd(String text, int at) {
    return switch (text.charAt(at)) {
      case '=' -> skipArrow(text, at);
      case ':' -> isColon(text, at) ? skipArrow(text, at + 1) : at;
      case '%' -> text.regionMatches(true, at, "%3d", 0, 3) ? at + 3 : at;
      default -> at;
    };
  }

  /** The end of {@code =}, {@code ==}, {@code =>} or {@code :=}. */
  private static int skipArrow(String text, int at) {
    return CharClasses.skipAny(text, at, text.length(), "=>");
  }

  private static boolean isColon(String text, int at) {
    return !text.startsWith("//", at + 1)
        && !text.startsWith(":", at + 1)
        && !text.startsWith(":", at - 1);
  }

  private Secrecy secrecy(String text, int separator) {
    int end =
        beforeClosingQuote(
            text, CharClasses.skipBack(text, separator, BLANKS_MAX, CharClasses.BLANK));
    int start = nameStart(text, end);
    if (start == end || isPathOrMarker(text, start, separator)) {
      return Secrecy.NONE;
    }
    String name = text.substring(start, end);
    return SECOND_WORDS.contains(name)
        ? names.of(text.substring(nameStart(text, Math.max(0, start - 1)), end))
        : isParserToken(text, start, name) ? Secrecy.NONE : names.of(name);
  }

  /** Whether the name is the end of a path before a colon, or a marker. */
  private static boolean isPathOrMarker(String text, int start, int separator) {
    return (text.charAt(separator) == ':' && text.startsWith("/", start - 1))
        || RedactionMarker.end(text, start - 1) >= 0;
  }

  /** The index before the quote or bracket that closes a name. */
  private static int beforeClosingQuote(String text, int end) {
    if (!CharClasses.isAt(text, end - 1, CharClasses.QUOTE) && !text.startsWith("]", end - 1)) {
      return end;
    }
    return CharClasses.trim(text, Math.max(0, end - 1 - BLANKS_MAX), end - 1, "\\");
  }

  private static int nameStart(String text, int end) {
    return CharClasses.skipBack(text, end, SecretNames.LENGTH_MAX, CharClasses.WORD);
  }

  private static boolean isParserToken(String text, int start, String name) {
    int before = CharClasses.skipBack(text, start, 1, CharClasses.BLANK);
    String word = text.substring(nameStart(text, before), before);
    return name.equalsIgnoreCase("token") && PARSER_WORDS.contains(word.toLowerCase(Locale.ROOT));
  }

  /** The end of the value if it is secret, else {@code from}. */
  private static int findValue(
      String text, Secrecy secrecy, int from, ScrubFindings scrubFindings) {
    if (secrecy == Secrecy.NONE) {
      return from;
    }
    int start = CharClasses.skip(text, from, CharClasses.BLANK);
    ValueExtent value =
        secrecy == Secrecy.SECRET_LINE ? headerExtent(text, start) : ValueExtent.of(text, start);
    if (value == null || isHarmless(text.substring(value.start(), value.end()), secrecy)) {
      return from;
    }
    scrubFindings.add(value.start(), value.end(), SecretKind.NAMED);
    return value.end();
  }

  /**
   * The value of a header: quoted or structured, a scheme with its word, or the rest of the line.
   */
  private static @Nullable ValueExtent headerExtent(String text, int start) {
    if (start >= text.length() || "\"'\\[{".indexOf(text.charAt(start)) >= 0) {
      return ValueExtent.of(text, start);
    }
    int scheme = CharClasses.skip(text, start, CharClasses.WORD);
    int word = CharClasses.skip(text, scheme, CharClasses.BLANK);
    if (word > scheme && SCHEMES.contains(text.substring(start, scheme).toLowerCase(Locale.ROOT))) {
      ValueExtent credentials = ValueExtent.of(text, word);
      return credentials == null ? null : new ValueExtent(start, credentials.end());
    }
    return ValueExtent.ofLine(text, start);
  }

  private static boolean isHarmless(String value, Secrecy secrecy) {
    return EMPTY_VALUES.contains(value)
        || (secrecy == Secrecy.POSSIBLE
            && CharClasses.skip(value, 0, CharClasses.DIGIT) == value.length());
  }

  private int findOption(String text, int at, ScrubFindings scrubFindings) {
    if (!text.startsWith("--", at) || CharClasses.isAt(text, at - 1, CharClasses.WORD)) {
      return at;
    }
    int end = CharClasses.skip(text, at, CharClasses.WORD);
    int value = CharClasses.skip(text, end, CharClasses.BLANK);
    return value == end || text.startsWith("-", value)
        ? at
        : findValue(
            text,
            names.of(text.substring(at, Math.min(end, at + SecretNames.LENGTH_MAX))),
            end,
            scrubFindings);
  }
}
