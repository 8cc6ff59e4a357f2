package gatebook.command.rules;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.text.Normalizer;
import java.text.Normalizer.Form;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * The normalised form of a name or URI, which a lenient source may take for the same one: percent
 * escapes decoded once, Unicode in the form NFKC, letters in lower case, and without dot segments
 * and doubled slashes. The two slashes before an authority stay, and so do the segments of a query
 * or fragment. Nothing else changes: neither backslashes nor a slash at the end nor characters
 * without width.
 */
public final class NormalisedName {

  /** Escapes of characters that separate, or that begin an escape. */
  private static final Pattern STRUCTURE = Pattern.compile("(?i)%(25|2e|2f|5c)");

  private static final int ASCII_MAX = 0x7f;

  private NormalisedName() {}

  /** The same object, without an allocation, if an ASCII name is in normalised form already. */
  public static String of(String name) {
    if (!isFolded(name)) {
      return normalised(name);
    }
    int from = pathStart(name);
    return isWithoutDots(name, from, pathEnd(name, from)) ? name : normalised(name);
  }

  /**
   * A literal part of a pattern as it is in normalised names. Escapes of dots, slashes and the like
   * stay: such a pattern is about the escape, and decoded it would match far more.
   */
  static String literal(String part) {
    return fold(STRUCTURE.matcher(part).find() ? part : decoded(part));
  }

  /** Whether the text has only characters that normalising leaves alone, wherever they are. */
  private static boolean isFolded(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c > ASCII_MAX || c == '%' || ('A' <= c && c <= 'Z')) {
        return false;
      }
    }
    return true;
  }

  private static String normalised(String name) {
    String whole = fold(decoded(name));
    int from = pathStart(whole);
    if (from == 0) {
      return withoutDots(whole);
    }
    // an escaped question mark does not begin a query, so the query is found before decoding
    int query = pathEnd(name, 1);
    String path = fold(decoded(name.substring(0, query)));
    int start = pathStart(path);
    return path.substring(0, start)
        + withoutDots(path.substring(start))
        + fold(decoded(name.substring(query)));
  }

  /** Where the path begins: after a scheme and an authority, if there are any. */
  private static int pathStart(String text) {
    int colon = schemeEnd(text);
    if (colon < 0 || !text.startsWith("//", colon + 1)) {
      return colon + 1;
    }
    int path = colon + 3;
    while (path < text.length() && "/?#".indexOf(text.charAt(path)) < 0) {
      path++;
    }
    return path;
  }

  /** The index of the colon after a scheme; -1 when the text begins with none. */
  private static int schemeEnd(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == ':' && i > 0) {
        return i;
      }
      boolean isLetter = 'a' <= c && c <= 'z';
      if (!isLetter && (i == 0 || (!('0' <= c && c <= '9') && "+-.".indexOf(c) < 0))) {
        return -1;
      }
    }
    return -1;
  }

  /** Where the path ends; without a scheme, at the end. */
  private static int pathEnd(String text, int from) {
    int end = from == 0 ? text.length() : from;
    while (end < text.length() && text.charAt(end) != '?' && text.charAt(end) != '#') {
      end++;
    }
    return end;
  }

  private static boolean isWithoutDots(String text, int from, int to) {
    int start = from;
    for (int i = from; i <= to; i++) {
      if (i == to || text.charAt(i) == '/') {
        int length = i - start;
        boolean isDoubled = length == 0 && start > from && i < to;
        if (isDoubled || isDotSegment(text, start, length)) {
          return false;
        }
        start = i + 1;
      }
    }
    return true;
  }

  private static boolean isDotSegment(String text, int start, int length) {
    return switch (length) {
      case 1 -> text.startsWith(".", start);
      case 2 -> text.startsWith("..", start);
      default -> false;
    };
  }

  private static String withoutDots(String path) {
    Deque<String> kept = new ArrayDeque<>();
    boolean isFolder = false;
    for (String segment : path.split("/", -1)) {
      isFolder = segment.isEmpty() || segment.equals(".") || segment.equals("..");
      if (segment.equals("..")) {
        kept.pollLast();
      } else if (!isFolder) {
        kept.add(segment);
      }
    }
    String end = isFolder && !kept.isEmpty() ? "/" : "";
    return (path.startsWith("/") ? "/" : "") + String.join("/", kept) + end;
  }

  /** In the form NFKC and in lower case, character by character. */
  private static String fold(String text) {
    if (isFolded(text)) {
      return text;
    }
    StringBuilder folded = new StringBuilder(text.length());
    Normalizer.normalize(text, Form.NFKC)
        .codePoints()
        .map(Character::toLowerCase)
        .forEach(folded::appendCodePoint);
    return folded.toString();
  }

  /** Decodes percent escapes once; what is no escape stays. */
  private static String decoded(String text) {
    if (text.indexOf('%') < 0) {
      return text;
    }
    StringBuilder decoded = new StringBuilder(text.length());
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int i = 0; i < text.length(); ) {
      int escaped = escaped(text, i);
      if (escaped >= 0) {
        bytes.write(escaped);
        i += 3;
      } else {
        decoded.append(bytes.toString(UTF_8));
        bytes.reset();
        decoded.append(text.charAt(i++));
      }
    }
    return decoded.append(bytes.toString(UTF_8)).toString();
  }

  /** The byte of the escape that begins here; -1 when there is none. */
  private static int escaped(String text, int at) {
    return text.charAt(at) == '%'
            && at + 2 < text.length()
            && HexFormat.isHexDigit(text.charAt(at + 1))
            && HexFormat.isHexDigit(text.charAt(at + 2))
        ? HexFormat.fromHexDigits(text, at + 1, at + 3)
        : -1;
  }
}
