package gatebook.events.journal.tree;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

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
  private static final int UTF8_BYTES_PER_CHAR_MAX = 3;

  /** What the JVM writes for a lone surrogate. */
  private static final char REPLACEMENT = '?';

  private final MessageDigest sha256 = Sha256.newDigest();
  private byte[] buffer = new byte[1024];
  private int length;

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
    return Arrays.copyOfRange(buffer, 1, length);
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
    length = 0;
    ensure(1 + header.length);
    buffer[length++] = LEAF;
    System.arraycopy(header, 0, buffer, length, header.length);
    length += header.length;
  }

  private byte[] finish() {
    sha256.update(buffer, 0, length);
    return sha256.digest();
  }

  private void putLong(long value) {
    ensure(Long.BYTES);
    for (int shift = 56; shift >= 0; shift -= 8) {
      buffer[length++] = (byte) (value >>> shift);
    }
  }

  private void putText(String text) {
    byte[] utf8 = text.getBytes(UTF_8);
    if (utf8.length == text.length() && !mayReplace(utf8)) {
      putAscii(utf8); // nearly all are, and the JVM copies them many bytes at a time
    } else {
      putCodePoints(text);
    }
  }

  private static boolean mayReplace(byte[] utf8) {
    for (byte b : utf8) {
      if (b == REPLACEMENT) {
        return true;
      }
    }
    return false;
  }

  private void putAscii(byte[] text) {
    ensure(Integer.BYTES + text.length);
    putIntAt(length, text.length);
    System.arraycopy(text, 0, buffer, length + Integer.BYTES, text.length);
    length += Integer.BYTES + text.length;
  }

  private void putCodePoints(String text) {
    ensure(Integer.BYTES + Math.multiplyExact(text.length(), UTF8_BYTES_PER_CHAR_MAX));
    int lengthAt = length;
    length += Integer.BYTES;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < 0x80) {
        buffer[length++] = (byte) c;
      } else {
        i += putNonAscii(text, i);
      }
    }
    putIntAt(lengthAt, length - lengthAt - Integer.BYTES);
  }

  /**
   * Writes the code point at {@code i}, and returns how many chars beyond the first it took. A lone
   * surrogate is written as three bytes: the usual replacement character would give two different
   * texts the same leaf.
   */
  private int putNonAscii(String text, int i) {
    int point = text.codePointAt(i);
    if (point < 0x800) {
      buffer[length++] = (byte) (0xc0 | (point >>> 6));
    } else if (point < 0x10000) {
      buffer[length++] = (byte) (0xe0 | (point >>> 12));
      putContinuation(point >>> 6);
    } else {
      buffer[length++] = (byte) (0xf0 | (point >>> 18));
      putContinuation(point >>> 12);
      putContinuation(point >>> 6);
    }
    putContinuation(point);
    return Character.charCount(point) - 1;
  }

  private void putContinuation(int bits) {
    buffer[length++] = (byte) (0x80 | (bits & 0x3f));
  }

  private void putIntAt(int at, int value) {
    buffer[at] = (byte) (value >>> 24);
    buffer[at + 1] = (byte) (value >>> 16);
    buffer[at + 2] = (byte) (value >>> 8);
    buffer[at + 3] = (byte) value;
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
    System.arraycopy(digest, 0, buffer, length, digest.length);
    length += digest.length;
  }

  private void ensure(int more) {
    int needed = Math.addExact(length, more);
    if (needed > buffer.length) {
      buffer = Arrays.copyOf(buffer, Math.max(needed, 2 * buffer.length));
    }
  }
}
