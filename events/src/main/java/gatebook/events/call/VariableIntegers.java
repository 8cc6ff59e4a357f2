package gatebook.events.call;

import java.io.ByteArrayOutputStream;

/**
 * Integers of variable length: seven bits in a byte, the lowest first, and the highest bit set
 * where more follow.
 */
public final class VariableIntegers {
  private static final int BITS = 7;
  private static final int MORE = 1 << BITS;

  private final byte[] bytes;
  private int at;

  /** Reads the integers in these bytes. */
  public VariableIntegers(byte[] bytes) {
    this.bytes = bytes;
  }

  public boolean hasNext() {
    return at < bytes.length;
  }

  /** The next one; some number where the bytes are no integer. */
  public long next() {
    long number = 0;
    int shift = 0;
    byte read = (byte) MORE;
    while ((read & MORE) != 0 && at < bytes.length && shift < Long.SIZE) {
      read = bytes[at++];
      number |= (read & (MORE - 1L)) << shift;
      shift += BITS;
    }
    return number;
  }

  public static void write(ByteArrayOutputStream encoded, long number) {
    long left = number;
    while (left >= MORE || left < 0) {
      encoded.write((int) (left & (MORE - 1)) | MORE);
      left >>>= BITS;
    }
    encoded.write((int) left);
  }
}
