package gatebook.events.journal.segment.file;

import java.nio.BufferOverflowException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * The format of one compressed block: DEFLATE without the random spans of the text, which follow
 * packed; or the text itself where that is not shorter.
 *
 * <p>In front of the deflated text are the places of its spans: how many, and for each how many
 * bytes are between it and the one before, its kind, and the length of one of Base64.
 */
public final class CompressedBlock {
  public static final byte PLAIN = 0;
  public static final byte DEFLATED = 1;
  public static final int HEAD_BYTES = 1 + 2 * Integer.BYTES;
  public static final int NUMBER_BYTES_MAX = 5;

  /** The number of a kind is its place here. */
  private static final List<RandomSpan.Kind> KINDS =
      List.of(RandomSpan.Kind.HASH, RandomSpan.Kind.UUID, RandomSpan.Kind.BASE64);

  private CompressedBlock() {}

  /**
   * The number for the place of a span.
   *
   * @param distance from the end of the span before
   */
  public static int place(int distance, RandomSpan.Kind kind) {
    return distance * KINDS.size() + KINDS.indexOf(kind);
  }

  private static int number(ByteBuffer from) {
    int number = 0;
    for (int shift = 0; shift < Integer.SIZE; shift += 7) {
      byte next = from.get();
      number |= (next & 0x7f) << shift;
      if (next >= 0) {
        return number;
      }
    }
    return -1;
  }

  /** Writes the text of a block to its place; false when the block is not one of such a text. */
  static boolean read(ByteBuffer block, byte[] into, int at, int length) {
    try {
      byte method = block.get();
      if (method == PLAIN && block.remaining() == length) {
        block.get(into, at, length);
        return true;
      }
      ByteBuffer inflated = method == DEFLATED ? inflated(block, length) : null;
      return inflated != null && join(inflated, block, ByteBuffer.wrap(into, at, length));
    } catch (DataFormatException
        | ArithmeticException
        | BufferUnderflowException
        | BufferOverflowException
        | IndexOutOfBoundsException _) {
      return false;
    }
  }

  private static @Nullable ByteBuffer inflated(ByteBuffer block, int textBytes)
      throws DataFormatException {
    int deflated = block.getInt();
    int length = block.getInt();
    // the places of spans are shorter than the spans
    if (deflated < 0
        || deflated > block.remaining()
        || length < 0
        || length > textBytes + NUMBER_BYTES_MAX) {
      return null;
    }
    byte[] bytes = new byte[length];
    try (Inflater inflater = new Inflater(true)) {
      inflater.setInput(block.slice(block.position(), deflated));
      int count = inflater.inflate(bytes);
      if (count != length || !isAtEnd(inflater)) {
        return null;
      }
    }
    block.position(block.position() + deflated);
    return ByteBuffer.wrap(bytes);
  }

  private static boolean isAtEnd(Inflater inflater) throws DataFormatException {
    return inflater.inflate(new byte[1]) == 0
        && inflater.finished()
        && inflater.getRemaining() == 0;
  }

  /** Puts the spans where they were; true when the text is full and nothing is left. */
  private static boolean join(ByteBuffer inflated, ByteBuffer packed, ByteBuffer text) {
    int count = number(inflated);
    ByteBuffer rest = inflated.duplicate();
    for (int i = 0; i < count; i++) {
      long _ = spanBytes(number(rest), rest);
    }
    for (int i = 0; i < count; i++) {
      int place = number(inflated);
      int bytes = spanBytes(place, inflated);
      put(rest, place / KINDS.size(), text);
      kind(place).unpack(packed, text.slice(text.position(), bytes));
      text.position(text.position() + bytes);
    }
    put(rest, rest.remaining(), text);
    return count >= 0 && !text.hasRemaining() && !packed.hasRemaining();
  }

  private static RandomSpan.Kind kind(int place) {
    return KINDS.get(place % KINDS.size());
  }

  /** How long the span at a place is in the text. */
  private static int spanBytes(int place, ByteBuffer places) {
    return switch (kind(place)) {
      case HASH -> RandomSpan.HASH_BYTES;
      case UUID -> RandomSpan.UUID_BYTES;
      case BASE64 -> Math.multiplyExact(number(places), RandomSpan.GROUP_TEXT_BYTES);
    };
  }

  private static void put(ByteBuffer from, int length, ByteBuffer into) {
    into.put(from.slice(from.position(), length));
    from.position(from.position() + length);
  }
}
