package gatebook.api.timestamp;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A value in DER (ITU-T X.690), with lengths of at most four bytes and tags of one.
 *
 * @param encoded the whole value
 * @param contentAt where its content begins
 */
@SuppressWarnings("ArrayRecordComponent") // read once and never compared
record Der(byte[] encoded, int contentAt) {
  static final int BOOLEAN = 0x01;
  static final int INTEGER = 0x02;
  static final int OCTETS = 0x04;
  static final int NULL = 0x05;
  static final int OID = 0x06;
  static final int GENERALIZED_TIME = 0x18;
  static final int SEQUENCE = 0x30;
  static final int SET = 0x31;

  /** A value with this number and further values in it, in the place of another tag. */
  static final int TAGGED = 0xa0;

  private static final int LONG_LENGTH = 0x80;
  private static final int LENGTH_BYTES_MAX = 4;

  /** It is not in DER, or not what it should be. */
  static final class NotDer extends Exception {
    private static final long serialVersionUID = 1L;

    NotDer(String sentence) {
      super(sentence, null, false, false);
    }
  }

  /** Reads a value, which all of these bytes are. */
  static Der of(byte[] bytes) throws NotDer {
    List<Der> values = values(bytes);
    if (values.size() != 1) {
      throw new NotDer("these are %d values in the place of one".formatted(values.size()));
    }
    return values.getFirst();
  }

  private static List<Der> values(byte[] bytes) throws NotDer {
    List<Der> values = new ArrayList<>();
    ByteBuffer in = ByteBuffer.wrap(bytes);
    while (in.hasRemaining()) {
      int start = in.position();
      if (in.remaining() < 2) {
        throw new NotDer("a value is cut off");
      }
      in.get();
      int length = length(in);
      if (length > in.remaining()) {
        throw new NotDer("a value is longer than what it is in");
      }
      int contentAt = in.position() - start;
      in.position(in.position() + length);
      values.add(new Der(Arrays.copyOfRange(bytes, start, in.position()), contentAt));
    }
    return values;
  }

  private static int length(ByteBuffer in) throws NotDer {
    int first = Byte.toUnsignedInt(in.get());
    if (first < LONG_LENGTH) {
      return first;
    }
    int bytes = first - LONG_LENGTH;
    if (bytes == 0 || bytes > LENGTH_BYTES_MAX || bytes > in.remaining()) {
      throw new NotDer("the length of a value is in a form that is not read");
    }
    long length = 0;
    for (int i = 0; i < bytes; i++) {
      length = (length << Byte.SIZE) | Byte.toUnsignedInt(in.get());
    }
    return (int) Math.min(length, Integer.MAX_VALUE);
  }

  int tag() {
    return Byte.toUnsignedInt(encoded[0]);
  }

  byte[] content() {
    return Arrays.copyOfRange(encoded, contentAt, encoded.length);
  }

  /** The content of a value that must have this tag. */
  byte[] content(int tag) throws NotDer {
    if (tag() != tag) {
      throw new NotDer("a value has the tag %02x in the place of %02x".formatted(tag(), tag));
    }
    return content();
  }

  /** The values in one that must have this tag. */
  Values in(int tag) throws NotDer {
    return new Values(values(content(tag)));
  }

  BigInteger integer() throws NotDer {
    byte[] content = content(INTEGER);
    if (content.length == 0) {
      throw new NotDer("a number has no digits");
    }
    return new BigInteger(content);
  }

  /** The object identifier, with dots. */
  String oid() throws NotDer {
    StringBuilder text = new StringBuilder();
    long arc = 0;
    for (byte next : content(OID)) {
      if (arc > Integer.MAX_VALUE) {
        throw new NotDer("an object identifier has a number that is too large");
      }
      arc = (arc << 7) | (next & 0x7f);
      if (next >= 0) {
        long first = Math.min(arc / 40, 2);
        text.append(text.isEmpty() ? first + "." + (arc - 40 * first) : "." + arc);
        arc = 0;
      }
    }
    return text.toString();
  }

  /** The same value with another tag. */
  byte[] retagged(int tag) {
    byte[] copy = encoded.clone();
    copy[0] = (byte) tag;
    return copy;
  }

  /** The values in another one, taken in their order. */
  static final class Values {
    private final List<Der> values;
    private int next;

    private Values(List<Der> values) {
      this.values = values;
    }

    List<Der> all() {
      return List.copyOf(values);
    }

    boolean hasNext(int tag) {
      return next < values.size() && values.get(next).tag() == tag;
    }

    Der take() throws NotDer {
      if (next == values.size()) {
        throw new NotDer("a value is missing");
      }
      return values.get(next++);
    }

    /** Passes over the next value if it has this tag. */
    void skip(int tag) {
      if (hasNext(tag)) {
        next++;
      }
    }
  }

  /** Writes a value of these parts. */
  static byte[] write(int tag, byte[]... parts) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      content.writeBytes(part);
    }
    if (content.size() >= LONG_LENGTH) {
      throw new IllegalArgumentException("only short values are written");
    }
    ByteArrayOutputStream value = new ByteArrayOutputStream();
    value.write(tag);
    value.write(content.size());
    value.writeBytes(content.toByteArray());
    return value.toByteArray();
  }
}
