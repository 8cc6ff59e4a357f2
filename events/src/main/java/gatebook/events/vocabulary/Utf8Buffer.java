package gatebook.events.vocabulary;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.Base64Variant;
import com.fasterxml.jackson.core.Base64Variants;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CoderResult;
import java.util.Arrays;

/** Text in UTF-8 that grows. Half of a surrogate pair is written as a question mark. */
final class Utf8Buffer {
  private static final int BYTES = 1 << 10;

  /** Longer arrays are not kept for the next text. */
  private static final int KEPT_BYTES_MAX = 1 << 16;

  private static final int CHUNK_CHARS = 1 << 10;

  private static final Base64Variant BASE64 = Base64Variants.MIME_NO_LINEFEEDS;
  private static final int BASE64_BYTES = 3;
  private static final int BASE64_CHARS = 4;

  private final CharsetEncoder encoder = UTF_8.newEncoder();
  private final char[] chunk = new char[CHUNK_CHARS];
  private ByteBuffer bytes = ByteBuffer.allocate(BYTES);

  /** Over the array that the last text came from, which mostly is the next one's, too. */
  private CharBuffer chars = CharBuffer.wrap(chunk);

  /** The first half of a pair whose second half may follow; 0 when there is none. */
  private char high;

  private boolean isLossless = true;

  /** Begins a new text. */
  void clear() {
    if (bytes.capacity() > KEPT_BYTES_MAX) {
      bytes = ByteBuffer.allocate(BYTES);
    }
    if (chars.capacity() > KEPT_BYTES_MAX) {
      chars = CharBuffer.wrap(chunk);
    }
    bytes.clear();
    encoder.reset();
    high = 0;
    isLossless = true;
  }

  void add(char[] text, int from, int length) {
    if (length == 0) {
      return;
    }
    int start = from;
    if (high != 0) {
      char before = high;
      high = 0;
      if (Character.isLowSurrogate(text[from])) {
        encode(new char[] {before, text[start++]}, 0, 2);
      } else {
        addReplacement();
      }
    }
    encode(text, start, from + length);
  }

  @SuppressWarnings("ReferenceEquality") // a buffer is over one array, whatever is in it
  private void encode(char[] text, int from, int to) {
    if (chars.array() != text) {
      chars = CharBuffer.wrap(text);
    }
    chars.limit(to).position(from);
    CoderResult result = encoder.encode(chars, bytes, false);
    while (!result.isUnderflow()) {
      if (result.isOverflow()) {
        grow(chars.remaining());
      } else {
        chars.position(chars.position() + result.length());
        addReplacement();
      }
      result = encoder.encode(chars, bytes, false);
    }
    if (chars.hasRemaining()) {
      high = chars.get();
    }
  }

  private void addReplacement() {
    add((byte) '?');
    isLossless = false;
  }

  /** Adds a whole text, and the number of its bytes before it. */
  void addWithLength(String text) {
    int lengthAt = bytes.position();
    ensure(Integer.BYTES);
    bytes.putInt(0);
    for (int from = 0; from < text.length(); from += chunk.length) {
      int length = Math.min(chunk.length, text.length() - from);
      text.getChars(from, from + length, chunk, 0);
      add(chunk, 0, length);
    }
    end();
    bytes.putInt(lengthAt, bytes.position() - lengthAt - Integer.BYTES);
  }

  /** Ends a text: nothing completes the half of a pair. */
  private void end() {
    if (high != 0) {
      high = 0;
      addReplacement();
    }
  }

  void add(byte ascii) {
    ensure(1);
    bytes.put(ascii);
  }

  void add(byte[] utf8) {
    ensure(utf8.length);
    bytes.put(utf8);
  }

  void addAscii(String text) {
    for (int i = 0; i < text.length(); i++) {
      add((byte) text.charAt(i));
    }
  }

  /** Takes the last byte away. */
  void removeLast() {
    bytes.position(bytes.position() - 1);
  }

  /**
   * Makes room for the base64 of so many bytes. They are to be written into the array at the place
   * that is returned, which is the end of the room.
   */
  int base64Source(int length) {
    int base64Length = (length + BASE64_BYTES - 1) / BASE64_BYTES * BASE64_CHARS;
    ensure(base64Length);
    return bytes.position() + base64Length - length;
  }

  /** Adds the base64 of the bytes that were written there, over these bytes. */
  void addBase64(int length) {
    byte[] array = bytes.array();
    int from = base64Source(length);
    int end = from + length;
    int to = bytes.position();
    for (; end - from >= BASE64_BYTES; from += BASE64_BYTES) {
      to = BASE64.encodeBase64Chunk(bits(array, from, BASE64_BYTES), array, to);
    }
    if (from < end) {
      to = BASE64.encodeBase64Partial(bits(array, from, end - from), end - from, array, to);
    }
    bytes.position(to);
  }

  /** The bits of up to three bytes, the first on the left. */
  private static int bits(byte[] array, int from, int length) {
    int bits = 0;
    for (int i = 0; i < BASE64_BYTES; i++) {
      bits = bits << Byte.SIZE | (i < length ? array[from + i] & 0xff : 0);
    }
    return bits;
  }

  void set(int at, byte ascii) {
    bytes.put(at, ascii);
  }

  int length() {
    return bytes.position();
  }

  /** Whether a reader gets the same text. */
  boolean isLossless() {
    return isLossless && high == 0;
  }

  /** The bytes, from the first of the array on, and others behind them. */
  byte[] array() {
    return bytes.array();
  }

  byte[] toArray() {
    return Arrays.copyOf(bytes.array(), length());
  }

  private void ensure(int more) {
    if (bytes.remaining() < more) {
      grow(more);
    }
  }

  private void grow(int more) {
    int needed = Math.addExact(bytes.capacity(), more);
    byte[] larger = Arrays.copyOf(bytes.array(), Math.max(needed, 2 * bytes.capacity()));
    bytes = ByteBuffer.wrap(larger).position(bytes.position());
  }
}
