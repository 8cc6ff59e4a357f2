package gatebook.api.http;

import gatebook.api.memory.MemoryReservation;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Locale;
import java.util.Set;
import java.util.zip.DataFormatException;
import java.util.zip.GZIPInputStream;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * Decodes compressed bodies. A body is decoded only if it is complete, its checksum is right and
 * nothing follows it.
 */
final class CompressedBody {

  private static final Set<String> GZIP = Set.of("gzip", "x-gzip");
  private static final Set<String> DEFLATE = Set.of("deflate", "x-deflate");
  private static final int GZIP_TRAILER_BYTES = 8;
  private static final int BUFFER_BYTES = 8 << 10;

  /** The result of decoding a body. */
  sealed interface Result {
    @SuppressWarnings("ArrayRecordComponent") // read once and never compared
    record Decoded(byte[] bytes) implements Result {}

    record TooLarge() implements Result {}

    /** There is no memory for it now. */
    record Overloaded() implements Result {}

    record Broken() implements Result {}
  }

  private CompressedBody() {}

  static boolean canDecode(String encoding) {
    String name = encoding.toLowerCase(Locale.ROOT);
    return GZIP.contains(name) || DEFLATE.contains(name);
  }

  /**
   * Decodes a body, and stops when the result is larger than a message may be.
   *
   * @param encoding one that can be decoded
   * @param memory grows with the result
   */
  static Result decode(byte[] body, String encoding, long bytesMax, MemoryReservation memory) {
    Decoded decoded = new Decoded(body.length, bytesMax, memory);
    try {
      return GZIP.contains(encoding.toLowerCase(Locale.ROOT))
          ? gzip(body, decoded)
          : deflate(body, decoded);
    } catch (IOException | DataFormatException _) {
      return new Result.Broken();
    }
  }

  /** The decoded bytes so far, within the largest message and the memory for messages. */
  private static final class Decoded {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final long encodedBytes;
    private final long bytesMax;
    private final MemoryReservation memory;

    Decoded(long encodedBytes, long bytesMax, MemoryReservation memory) {
      this.encodedBytes = encodedBytes;
      this.bytesMax = bytesMax;
      this.memory = memory;
    }

    /** Adds bytes; returns why they are too many, or nothing. */
    @Nullable Result add(byte[] buffer, int length) {
      if (bytes.size() + length > bytesMax) {
        return new Result.TooLarge();
      }
      if (!memory.growTo(encodedBytes + bytes.size() + length)) {
        return new Result.Overloaded();
      }
      bytes.write(buffer, 0, length);
      return null;
    }

    Result end(boolean isWhole) {
      return isWhole ? new Result.Decoded(bytes.toByteArray()) : new Result.Broken();
    }
  }

  private static Result gzip(byte[] body, Decoded decoded) throws IOException {
    try (GzipMember member = new GzipMember(new ByteArrayInputStream(body))) {
      byte[] buffer = new byte[BUFFER_BYTES];
      for (int n = member.read(buffer); n >= 0; n = member.read(buffer)) {
        Result tooMany = decoded.add(buffer, n);
        if (tooMany != null) {
          return tooMany;
        }
      }
      return decoded.end(member.sizeBytes() == body.length);
    }
  }

  /** Reads also what follows the first member, and ignores it when it is no member. */
  private static final class GzipMember extends GZIPInputStream {
    private final long headerBytes;

    GzipMember(ByteArrayInputStream body) throws IOException {
      int whole = body.available();
      super(body, BUFFER_BYTES);
      this.headerBytes = (long) whole - body.available();
    }

    /** The size of the body when it is one member, once that is read. */
    long sizeBytes() {
      return headerBytes + inf.getBytesRead() + GZIP_TRAILER_BYTES;
    }
  }

  private static Result deflate(byte[] body, Decoded decoded) throws DataFormatException {
    try (Inflater inflater = new Inflater(!hasZlibHeader(body))) {
      inflater.setInput(body);
      byte[] buffer = new byte[BUFFER_BYTES];
      for (int n = inflater.inflate(buffer); n > 0; n = inflater.inflate(buffer)) {
        Result tooMany = decoded.add(buffer, n);
        if (tooMany != null) {
          return tooMany;
        }
      }
      return decoded.end(inflater.finished() && inflater.getRemaining() == 0);
    }
  }

  /** Some senders leave out the header, which is a multiple of 31 and names the method 8. */
  private static boolean hasZlibHeader(byte[] body) {
    return body.length > 1
        && (body[0] & 0x0f) == 8
        && ((body[0] & 0xff) << 8 | (body[1] & 0xff)) % 31 == 0;
  }
}
