package gatebook.events.vocabulary;

import static java.nio.charset.StandardCharsets.UTF_8;

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

  private final CharsetEncoder encoder = UTF_8.newEncoder();
  private ByteBuffer bytes = ByteBuffer.allocate(BYTES);

  /** The first half of a pair whose second half may follow; 0 when there is none. */
  private char high;

  private boolean isLossless = true;

  /** Begins a new text. */
  void clear() {
    if (bytes.capacity() > KEPT_BYTES_MAX) {
      bytes = ByteBuffer.allocate(BYTES);
    }
    bytes.clear();
    encoder.reset();
    high = 0;
    isLossless = true;
  }

  void add(char[] chars, int from, int length) {
    if (length == 0) {
      return;
    }
    int start = from;
    if (high != 0) {
      char before = high;
      high = 0;
      if (Character.isLowSurrogate(chars[from])) {
        encode(CharBuffer.wrap(new char[] {before, chars[start++]}));
      } else {
        addReplacement();
      }
    }
    encode(CharBuffer.wrap(chars, start, from + length - start));
  }

  private void encode(CharBuffer chars) {
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
    char[] chunk = new char[Math.min(text.length(), CHUNK_CHARS)];
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

  void addAscii(String text) {
    for (int i = 0; i < text.length(); i++) {
      add((byte) text.charAt(i));
    }
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
