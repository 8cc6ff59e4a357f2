package gatebook.api.rpc;

import gatebook.command.redact.Scrubber;
import gatebook.events.call.TextPrefix;
import gatebook.events.fault.Malformed;
import java.util.Locale;
import java.util.Set;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads the content type of a message as RFC 9110 writes it: the value of a parameter is a token or
 * a quoted string, and no blanks stand around its equals sign.
 */
public final class ContentType {

  private static final int RECORDED_CHARS_MAX = 128;
  private static final String TOKEN_MARKS = "!#$%&'*+-.^_`|~";

  private final String text;
  private final Accepted accepted;
  private int at;

  /** The media types and charsets that a transport accepts, in lower case. */
  public record Accepted(Set<String> types, Set<String> charsets) {}

  private ContentType(String text, Accepted accepted) {
    this.text = text;
    this.accepted = accepted;
  }

  /** Why this value of the header is not accepted; absent when it is. */
  public static @Nullable Malformed fault(String value, Accepted accepted) {
    return new ContentType(value, accepted).fault();
  }

  private @Nullable Malformed fault() {
    String type = upToSemicolon().strip();
    if (!accepted.types.contains(lower(type))) {
      return new Malformed.UnsupportedContentType(recordable(type));
    }
    Malformed fault = null;
    while (fault == null && at < text.length()) {
      at++; // the semicolon
      fault = parameterFault();
    }
    return fault;
  }

  private @Nullable Malformed parameterFault() {
    skip(ContentType::isBlank);
    int from = at;
    String name = skip(ContentType::isTokenCharacter);
    String value = name.isEmpty() ? "" : value();
    skip(ContentType::isBlank);
    if (value == null || (at < text.length() && text.charAt(at) != ';')) {
      at = from;
      return malformed();
    }
    return lower(name).equals("charset") && !accepted.charsets.contains(lower(value))
        ? new Malformed.BadCharset(recordable(value))
        : null;
  }

  /** The fault of a parameter that breaks the grammar; a charset is named as one. */
  private Malformed malformed() {
    String[] parts = upToSemicolon().split("=", 2);
    return parts.length == 2 && lower(parts[0].strip()).equals("charset")
        ? new Malformed.BadCharset(recordable(parts[1]))
        : new Malformed.UnsupportedContentType(recordable(text));
  }

  /** The value after an equals sign; absent when there is none. */
  private @Nullable String value() {
    if (!take('=')) {
      return null;
    }
    if (take('"')) {
      return quoted();
    }
    String token = skip(ContentType::isTokenCharacter);
    return token.isEmpty() ? null : token;
  }

  /** The rest of a quoted string; absent when it does not end. */
  private @Nullable String quoted() {
    StringBuilder value = new StringBuilder();
    while (at < text.length()) {
      if (take('"')) {
        return value.toString();
      }
      boolean _ = take('\\'); // the character after it stands for itself
      if (at < text.length()) {
        value.append(text.charAt(at));
        at++;
      }
    }
    return null;
  }

  private boolean take(char expected) {
    boolean isNext = at < text.length() && text.charAt(at) == expected;
    at += isNext ? 1 : 0;
    return isNext;
  }

  private String skip(IntPredicate accepts) {
    int from = at;
    while (at < text.length() && accepts.test(text.charAt(at))) {
      at++;
    }
    return text.substring(from, at);
  }

  private String upToSemicolon() {
    return skip(c -> c != ';');
  }

  private static boolean isBlank(int c) {
    return c == ' ' || c == '\t';
  }

  private static boolean isTokenCharacter(int c) {
    return (c >= '0' && c <= '9')
        || (c >= 'A' && c <= 'Z')
        || (c >= 'a' && c <= 'z')
        || TOKEN_MARKS.indexOf(c) >= 0;
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }

  /** The header's value as it is recorded: without secrets. */
  private static String recordable(String text) {
    String scrubbed = Scrubber.BUILT_IN.scrub(text.replace("\"", "").strip());
    return TextPrefix.of(lower(scrubbed), RECORDED_CHARS_MAX);
  }
}
