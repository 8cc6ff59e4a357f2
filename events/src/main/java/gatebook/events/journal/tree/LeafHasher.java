package gatebook.events.journal.tree;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;

/**
 * Hashes an envelope to its leaf.
 *
 * <p>Envelopes that differ in any column have different leaves. A hasher reuses its buffers and
 * belongs to one thread.
 */
public final class LeafHasher {
  private static final byte LEAF = 0x00;
  private static final byte[] LAYOUT = "gatebook/1\n".getBytes(US_ASCII);
  private static final byte[] MISSING = "gatebook/missing/".getBytes(US_ASCII);

  private final MessageDigest sha256 = Sha256.newDigest();
  private ByteBuffer buffer = ByteBuffer.allocate(1024);

  /** Nearly all events have the same metadata. */
  private byte[] lastMetadata = {};

  private byte[] digestOfLastMetadata = digest(lastMetadata);

  public byte[] leaf(Envelope envelope) {
    put(envelope);
    return finish();
  }

  /** The bytes of the envelope: the leaf is the SHA-256 of a zero byte and these. */
  public byte[] bytes(Envelope envelope) {
    put(envelope);
    return Arrays.copyOfRange(buffer.array(), 1, buffer.position());
  }

  private void put(Envelope envelope) {
    begin(LAYOUT);
    putLong(envelope.position());
    putText(envelope.id());
    putText(envelope.name());
    putText(envelope.version());
    putText(envelope.at());
    putText(envelope.node());
    putText(envelope.tags());
    putDigest(digest(envelope.payload()));
    putDigest(digestOfMetadata(envelope.metadata()));
  }

  /** The leaf in the tree for a position that has no row. */
  public byte[] missing(long position) {
    begin(MISSING);
    putLong(position);
    return finish();
  }

  /**
   * Adds the leaves of the positions that have no row, up to a position.
   *
   * @param leaves those of the positions after {@code after}, without a gap
   */
  public void addMissing(List<byte[]> leaves, long after, long upTo) {
    while (after + leaves.size() < upTo) {
      leaves.add(missing(after + leaves.size() + 1));
    }
  }

  private void begin(byte[] header) {
    buffer.clear();
    ensure(1 + header.length);
    buffer.put(LEAF).put(header);
  }

  private byte[] finish() {
    sha256.update(buffer.flip());
    return sha256.digest();
  }

  private void putLong(long value) {
    ensure(Long.BYTES);
    buffer.putLong(value);
  }

  private void putText(String text) {
    ensure(Math.toIntExact(Utf8Text.bytesMax(text)));
    if (!Utf8Text.put(text, buffer)) {
      putCodePoints(text);
    }
  }

  /** Writes a text with half of a surrogate pair. */
  private void putCodePoints(String text) {
    int lengthAt = buffer.position();
    buffer.putInt(0);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < 0x80) {
        buffer.put((byte) c);
      } else {
        i += putNonAscii(text, i);
      }
    }
    buffer.putInt(lengthAt, buffer.position() - lengthAt - Integer.BYTES);
  }

  /**
   * Writes the code point at {@code i}, and returns how many chars beyond the first it took. A lone
   * surrogate is written as three bytes: the usual replacement character would give two different
   * texts the same leaf.
   */
  private int putNonAscii(String text, int i) {
    int point = text.codePointAt(i);
    if (point < 0x800) {
      buffer.put((byte) (0xc0 | (point >>> 6)));
    } else if (point < 0x10000) {
      buffer.put((byte) (0xe0 | (point >>> 12)));
      putContinuation(point >>> 6);
    } else {
      buffer.put((byte) (0xf0 | (point >>> 18)));
      putContinuation(point >>> 12);
      putContinuation(point >>> 6);
    }
    putContinuation(point);
    return Character.charCount(point) - 1;
  }

  private void putContinuation(int bits) {
    buffer.put((byte) (0x80 | (bits & 0x3f)));
  }

  private byte[] digest(byte[] bytes) {
    sha256.update(bytes);
    return sha256.digest();
  }

  private byte[] digestOfMetadata(byte[] metadata) {
    if (!Arrays.equals(metadata, lastMetadata)) {
      lastMetadata = metadata.clone();
      digestOfLastMetadata = digest(metadata);
    }
    return digestOfLastMetadata;
  }

  private void putDigest(byte[] digest) {
    ensure(digest.length);
    buffer.put(digest);
  }

  private void ensure(int more) {
    if (buffer.remaining() < more) {
      int needed = Math.addExact(buffer.position(), more);
      byte[] larger = Arrays.copyOf(buffer.array(), Math.max(needed, 2 * buffer.capacity()));
      buffer = ByteBuffer.wrap(larger).position(buffer.position());
    }
  }
}
