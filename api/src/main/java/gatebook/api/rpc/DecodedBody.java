package gatebook.api.rpc;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.fault.Malformed.ParseDefect;
import gatebook.events.fault.Malformed.ParseError;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import org.jspecify.annotations.Nullable;

/**
 * A body decoded to text: all of it, or with a defect the part before the bytes that are no UTF-8,
 * or after the byte order mark.
 *
 * <p>Unlike parsers that decode while they parse, Java's decoder accepts neither overlong forms nor
 * surrogates encoded one by one.
 */
record DecodedBody(RawText text, @Nullable ParseError defect) {

  private static final int BOM_BYTES = 3;

  static DecodedBody of(byte[] body) {
    return hasByteOrderMark(body)
        ? new DecodedBody(
            decode(ByteBuffer.wrap(body, BOM_BYTES, body.length - BOM_BYTES)).text,
            new ParseError(ParseDefect.BYTE_ORDER_MARK, 0L))
        : decode(ByteBuffer.wrap(body));
  }

  private static DecodedBody decode(ByteBuffer bytes) {
    CharBuffer chars = CharBuffer.allocate(bytes.remaining());
    CoderResult result = UTF_8.newDecoder().decode(bytes, chars, true);
    return new DecodedBody(
        new RawText(chars.array(), chars.position()),
        result.isError()
            ? new ParseError(ParseDefect.INVALID_UTF8, (long) bytes.position())
            : null);
  }

  private static boolean hasByteOrderMark(byte[] body) {
    return body.length >= BOM_BYTES
        && body[0] == (byte) 0xEF
        && body[1] == (byte) 0xBB
        && body[2] == (byte) 0xBF;
  }
}
