package gatebook.api.stdio;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Resynchronises after a fault: finds the next header among stray bytes.
 *
 * <p>A header is also found right after other bytes of its line, since the rest of a body need not
 * end with a line end. It is never found within a JSON body: a JSON string contains no raw line
 * end, and outside of strings there is no such text.
 */
final class FrameResync {

  private static final int LINE_BYTES_MAX = 256;

  private static final Pattern HEADER_AT_END =
      Pattern.compile(
          "(?:content-length:[ \t]*[0-9]{1,200}"
              + "|content-type:[ \t]*[\\w.+-]+/[\\w.+-]+(?:[ \t]*;[ \t]*[\\w-]+=\"?[\\w.-]+\"?)*)"
              + "[ \t]*\r\n$",
          Pattern.CASE_INSENSITIVE);

  private final byte[] line = new byte[2 * LINE_BYTES_MAX];
  private int filled;

  /**
   * A header at the end of a line.
   *
   * @param line the line with its line end
   * @param nameAt where the name would begin if the bytes right before were a part of it
   * @param at where the header begins
   */
  record Header(String line, int nameAt, int at) {

    boolean isFirstInLine() {
      return at == 0;
    }

    /** Whether it may also be a header with a longer name. */
    boolean followsNameCharacter() {
      return nameAt < at;
    }

    /** Whether it most likely has a longer name: {@code X-Content-Length}. */
    boolean followsDash() {
      return followsNameCharacter() && line.charAt(at - 1) == '-';
    }

    boolean isLength() {
      return line.substring(at).toLowerCase(Locale.ROOT).startsWith("content-length");
    }

    String value() {
      return line.substring(line.indexOf(':', at) + 1).strip();
    }

    int sizeBytes() {
      return line.length() - at;
    }

    byte[] ownBytes() {
      return line.substring(at).getBytes(ISO_8859_1);
    }

    /** The header's bytes, after the last byte of a possibly longer name. */
    byte[] bytes() {
      return line.substring(followsNameCharacter() ? at - 1 : at).getBytes(ISO_8859_1);
    }
  }

  /** Takes a byte; returns the header that it completes. */
  Optional<Header> take(byte b) {
    if (filled == line.length) {
      keepTheEnd();
    }
    line[filled++] = b;
    return b == '\n' ? atEnd() : Optional.empty();
  }

  private Optional<Header> atEnd() {
    String text = new String(line, 0, filled, ISO_8859_1);
    filled = 0;
    return atEndOf(text);
  }

  /** The header at the end of a line that may be longer than any header. */
  static Optional<Header> atEndOf(String text) {
    String end = text.substring(Math.max(0, text.length() - 2 * LINE_BYTES_MAX));
    Matcher header = HEADER_AT_END.matcher(end);
    if (!header.find()) {
      return Optional.empty();
    }
    int nameAt = header.start();
    while (nameAt > 0 && FrameHeader.isNameCharacter((byte) end.charAt(nameAt - 1))) {
      nameAt--;
    }
    return Optional.of(new Header(end, nameAt, header.start()));
  }

  private void keepTheEnd() {
    System.arraycopy(line, LINE_BYTES_MAX, line, 0, LINE_BYTES_MAX);
    filled = LINE_BYTES_MAX;
  }
}
