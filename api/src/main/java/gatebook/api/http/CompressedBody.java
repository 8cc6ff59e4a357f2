package gatebook.api.http;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Locale;
import java.util.Set;
import java.util.zip.DataFormatException;
import java.util.zip.GZIPInputStream;
import java.util.zip.Inflater;

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
   */
  static Result decode(byte[] body, String encoding, long bytesMax) {
    try {
      return GZIP.contains(encoding.toLowerCase(Locale.ROOT))
          ? gzip(body, bytesMax)
          : deflate(body, bytesMax);
    } catch (IOException | DataFormatException _) {
      return new Result.Broken();
    }
  }

  private static Result gzip(byte[] body, long bytesMax) throws IOException {
    try (GzipMember member = new GzipMember(new ByteArrayInputStream(body))) {
      ByteArrayOutputStream decoded = new ByteArrayOutputStream();
      byte[] buffer = new byte[BUFFER_BYTES];
      for (int n = member.read(buffer); n >= 0; n = member.read(buffer)) {
        decoded.write(buffer, 0, n);
        if (decoded.size() > bytesMax) {
          return new Result.TooLarge();
        }
      }
      return member.sizeBytes() == body.length
          ? new Result.Decoded(decoded.toByteArray())
          : new Result.Broken();
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

  private static Result deflate(byte[] body, long bytesMax) throws DataFormatException {
    try (Inflater inflater = new Inflater(!hasZlibHeader(body))) {
      inflater.setInput(body);
      ByteArrayOutputStream decoded = new ByteArrayOutputStream();
      byte[] buffer = new byte[BUFFER_BYTES];
      for (int n = inflater.inflate(buffer); n > 0; n = inflater.inflate(buffer)) {
        decoded.write(buffer, 0, n);
        if (decoded.size() > bytesMax) {
          return new Result.TooLarge();
        }
      }
      return inflater.finished() && inflater.getRemaining() == 0
          ? new Result.Decoded(decoded.toByteArray())
          : new Result.Broken();
    }
  }

  /** Some senders leave out the header, which is a multiple of 31 and names the method 8. */
  private static boolean hasZlibHeader(byte[] body) {
    return body.length > 1
        && (body[0] & 0x0f) == 8
        && ((body[0] & 0xff) << 8 | (body[1] & 0xff)) % 31 == 0;
  }
}
