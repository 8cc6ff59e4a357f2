package gatebook.events.journal.segment.file;

import static java.nio.charset.StandardCharsets.US_ASCII;

import gatebook.events.journal.storage.NewerFormat;
import gatebook.events.journal.tree.RightEdge;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The header at the beginning of a segment: the position of its first event, and the right edge of
 * the tree before that event.
 *
 * <p>That of a segment of which events were dropped says so, and its entries are their leaves.
 *
 * @param salt a random number that every record of the segment repeats, so that no bytes inside an
 *     event can be taken for a record
 * @param dropped absent where every event is whole
 */
public record SegmentHeader(long first, long salt, RightEdge edge, @Nullable Dropped dropped) {
  /** Records begin here. */
  public static final int BYTES = 4096;

  static final int VERSION = 1;

  private static final long MAGIC = 0x4741_5445_424F_4F4BL;
  private static final int VERSION_AT = Long.BYTES;
  private static final int CHECKSUM_AT = VERSION_AT + Integer.BYTES;
  private static final int CONTENT_AT = CHECKSUM_AT + Integer.BYTES;

  public SegmentHeader(long first, long salt, RightEdge edge) {
    this(first, salt, edge, null);
  }

  /**
   * What was dropped of a segment.
   *
   * @param newestAt the time of its newest event, whether or not that was kept
   * @param count of the events that are gone
   */
  public record Dropped(String newestAt, long count) {}

  /** The header of the same segment, when events of it are dropped. */
  public SegmentHeader without(Dropped events) {
    return new SegmentHeader(first, ThreadLocalRandom.current().nextLong(), edge, events);
  }

  /** A header for the events after an edge. */
  public static SegmentHeader after(RightEdge edge) {
    return after(edge, edge.size() + 1);
  }

  /** A header whose first event is at a later position, because events before it are missing. */
  public static SegmentHeader after(RightEdge edge, long first) {
    return new SegmentHeader(first, ThreadLocalRandom.current().nextLong(), edge.copy());
  }

  public ByteBuffer encode() {
    byte[] hashes = edge.bytes();
    ByteBuffer bytes = ByteBuffer.allocate(BYTES);
    bytes.putLong(MAGIC).putInt(VERSION).putInt(0);
    bytes.putLong(first).putLong(salt).putLong(edge.size()).putInt(hashes.length).put(hashes);
    if (dropped != null) {
      byte[] newestAt = dropped.newestAt().getBytes(US_ASCII);
      bytes.putLong(dropped.count()).putInt(newestAt.length).put(newestAt);
    }
    bytes.putInt(CHECKSUM_AT, checksum(bytes));
    return bytes.clear();
  }

  /** Why these bytes cannot be read: a newer version wrote them. Empty when none did. */
  public static Optional<String> newer(String what, ByteBuffer bytes) {
    return bytes.limit() >= CONTENT_AT
            && bytes.getLong(0) == MAGIC
            && bytes.getInt(VERSION_AT) > VERSION
        ? Optional.of(NewerFormat.sentence(what, bytes.getInt(VERSION_AT), VERSION))
        : Optional.empty();
  }

  /** Empty when the bytes are not a header, or not the one that was written. */
  static Optional<SegmentHeader> decode(ByteBuffer bytes) {
    if (bytes.limit() < BYTES
        || bytes.getLong(0) != MAGIC
        || bytes.getInt(VERSION_AT) != VERSION
        || bytes.getInt(CHECKSUM_AT) != checksum(bytes)) {
      return Optional.empty();
    }
    ByteBuffer content = bytes.duplicate().position(CONTENT_AT);
    long first = content.getLong();
    long salt = content.getLong();
    long size = content.getLong();
    int length = content.getInt();
    if (length < 0 || length > content.remaining()) {
      return Optional.empty();
    }
    byte[] hashes = new byte[length];
    content.get(hashes);
    Dropped dropped = dropped(content);
    return RightEdge.restored(size, hashes)
        .map(edge -> new SegmentHeader(first, salt, edge, dropped));
  }

  private static @Nullable Dropped dropped(ByteBuffer content) {
    if (content.remaining() < Long.BYTES + Integer.BYTES) {
      return null;
    }
    long count = content.getLong();
    int length = content.getInt();
    if (count < 0 || length < 1 || length > content.remaining()) {
      return null;
    }
    byte[] newestAt = new byte[length];
    content.get(newestAt);
    return new Dropped(new String(newestAt, US_ASCII), count);
  }

  private static int checksum(ByteBuffer bytes) {
    CRC32C sum = new CRC32C();
    sum.update(bytes.slice(0, CHECKSUM_AT));
    sum.update(bytes.slice(CONTENT_AT, BYTES - CONTENT_AT));
    return (int) sum.getValue();
  }
}
