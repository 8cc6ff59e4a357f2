package gatebook.api.stdio;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the next header among bytes that belong to nothing.
 *
 * <p>A header is found also right behind other bytes of its line: what is left of a body does not
 * end its last line. It cannot be found within a body that is JSON, which has no raw line end in a
 * text and no such header outside of one.
 */
final class Seeker {

  private static final int LINE_BYTES_MAX = 256;

  private static final Pattern HEADER_AT_END =
      Pattern.compile(
          "(?:content-length:[ \t]*[0-9]{1,19}"
              + "|content-type:[ \t]*[\\w.+-]+/[\\w.+-]+(?:[ \t]*;[ \t]*[\\w-]+=\"?[\\w.-]+\"?)*)"
              + "[ \t]*\r\n$",
          Pattern.CASE_INSENSITIVE);

  private final ByteArrayOutputStream line = new ByteArrayOutputStream();

  /** The header, with the end of its line, that this byte ends. */
  Optional<byte[]> take(byte b) {
    if (line.size() == 2 * LINE_BYTES_MAX) {
      keepTheEnd();
    }
    line.write(b);
    return b == '\n' ? atEnd() : Optional.empty();
  }

  private Optional<byte[]> atEnd() {
    Matcher header = HEADER_AT_END.matcher(line.toString(ISO_8859_1));
    line.reset();
    return header.find() ? Optional.of(header.group().getBytes(ISO_8859_1)) : Optional.empty();
  }

  private void keepTheEnd() {
    byte[] bytes = line.toByteArray();
    line.reset();
    line.write(bytes, LINE_BYTES_MAX, bytes.length - LINE_BYTES_MAX);
  }
}
