package gatebook.api.rpc;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.fault.Malformed.ParseDefect;
import gatebook.events.fault.Malformed.ParseError;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import org.jspecify.annotations.Nullable;

/**
 * A raw text without lone surrogates, from which slices can be cut as they were written.
 *
 * @param defect of the bytes: the text ends before those that are no UTF-8, or begins after the
 *     byte order mark
 */
@SuppressWarnings("ArrayRecordComponent") // never compared; a copy would cost as much as the body
record RawText(char[] chars, int length, @Nullable ParseError defect) {
  private static final int BOM_BYTES = 3;

  static RawText of(String text) {
    return new RawText(text.toCharArray(), text.length(), null);
  }

  /**
   * The text of a body. Unlike parsers that decode while they parse, Java's decoder accepts neither
   * overlong forms nor surrogates encoded one by one.
   */
  static RawText decoded(byte[] body) {
    return hasByteOrderMark(body)
        ? decoded(
            ByteBuffer.wrap(body, BOM_BYTES, body.length - BOM_BYTES),
            new ParseError(ParseDefect.BYTE_ORDER_MARK, 0L))
        : decoded(ByteBuffer.wrap(body), null);
  }

  private static RawText decoded(ByteBuffer bytes, @Nullable ParseError known) {
    CharBuffer chars = CharBuffer.allocate(bytes.remaining());
    CoderResult result = UTF_8.newDecoder().decode(bytes, chars, true);
    return new RawText(
        chars.array(),
        chars.position(),
        known == null && result.isError()
            ? new ParseError(ParseDefect.INVALID_UTF8, (long) bytes.position())
            : known);
  }

  private static boolean hasByteOrderMark(byte[] body) {
    return body.length >= BOM_BYTES
        && body[0] == (byte) 0xEF
        && body[1] == (byte) 0xBB
        && body[2] == (byte) 0xBF;
  }

  String slice(long from, long to) {
    return new String(chars, (int) from, (int) (to - from));
  }

  /** Whether a blank, a comma or a closing brace or bracket is there. */
  boolean isSeparator(long index) {
    return index < length && " \t\r\n,}]".indexOf(chars[(int) index]) >= 0;
  }

  /** The number of UTF-8 bytes before a character. */
  long bytesBefore(long index) {
    return slice(0, Math.min(index, length)).getBytes(UTF_8).length;
  }
}
