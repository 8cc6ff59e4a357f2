package gatebook.events.journal.tree;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CoderResult;

/** Writes texts in UTF-8, each after its length, without an array for each. */
public final class Utf8Text {
  private static final int BYTES_PER_CHAR_MAX = 3;

  /** Longer texts are copied to an array of their own. */
  private static final int REUSED_CHARS = 1 << 12;

  private static final ThreadLocal<Utf8Text> OF_THREAD = ThreadLocal.withInitial(Utf8Text::new);

  private final CharsetEncoder encoder = UTF_8.newEncoder();
  private final CharBuffer reused = CharBuffer.allocate(REUSED_CHARS);

  private Utf8Text() {}

  /** How many bytes a text and its length have at most. */
  public static long bytesMax(String text) {
    return Integer.BYTES + (long) BYTES_PER_CHAR_MAX * text.length();
  }

  /**
   * Writes a text after its length. A text with half of a surrogate pair, which UTF-8 cannot
   * encode, is not written.
   *
   * @param into an array's buffer, with room for {@link #bytesMax}
   * @return whether the text was written
   */
  public static boolean put(String text, ByteBuffer into) {
    int at = into.position();
    into.putInt(0);
    CoderResult result = OF_THREAD.get().encode(text, into);
    if (result.isOverflow()) {
      throw new BufferOverflowException();
    }
    if (result.isError()) {
      into.position(at);
      return false;
    }
    into.putInt(at, into.position() - at - Integer.BYTES);
    return true;
  }

  private CoderResult encode(String text, ByteBuffer into) {
    return encoder.reset().encode(chars(text), into, true);
  }

  /** The chars in an array, which the encoder reads many at a time. */
  private CharBuffer chars(String text) {
    if (text.length() > REUSED_CHARS) {
      return CharBuffer.wrap(text.toCharArray());
    }
    text.getChars(0, text.length(), reused.array(), 0);
    return reused.clear().limit(text.length());
  }
}
