package gatebook.api.casefile;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.journal.tree.Sha256;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The envelope of an event, parsed from the bytes that its leaf is the hash of. */
@SuppressWarnings("ArrayRecordComponent") // compared by content where it is used
record ParsedEnvelope(
    long position,
    String id,
    String name,
    String version,
    String at,
    String node,
    String tags,
    byte[] payloadDigest,
    byte[] metadataDigest) {
  private static final byte[] LAYOUT = "gatebook/1\n".getBytes(US_ASCII);

  /** Reads an envelope of layout 1; empty when the bytes are none. */
  static Optional<ParsedEnvelope> read(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    try {
      byte[] layout = new byte[LAYOUT.length];
      buffer.get(layout);
      ParsedEnvelope envelope =
          new ParsedEnvelope(
              buffer.getLong(),
              text(buffer),
              text(buffer),
              text(buffer),
              text(buffer),
              text(buffer),
              text(buffer),
              digest(buffer),
              digest(buffer));
      return Optional.of(envelope)
          .filter(_ -> Arrays.equals(layout, LAYOUT) && !buffer.hasRemaining());
    } catch (BufferUnderflowException | NegativeArraySizeException _) {
      return Optional.empty();
    }
  }

  private static String text(ByteBuffer buffer) {
    int length = buffer.getInt();
    if (length > buffer.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] text = new byte[length];
    buffer.get(text);
    return new String(text, UTF_8);
  }

  private static byte[] digest(ByteBuffer buffer) {
    byte[] digest = new byte[Sha256.BYTES];
    buffer.get(digest);
    return digest;
  }

  /** The name of the event without its namespace. */
  String localName() {
    return name.substring(name.lastIndexOf('.') + 1);
  }

  boolean hasPayload(byte[] payload) {
    return Arrays.equals(Sha256.of(payload), payloadDigest);
  }

  boolean hasMetadata(byte[] metadata) {
    return Arrays.equals(Sha256.of(metadata), metadataDigest);
  }

  boolean hasTag(List<String> any) {
    return tags.lines().anyMatch(any::contains);
  }
}
