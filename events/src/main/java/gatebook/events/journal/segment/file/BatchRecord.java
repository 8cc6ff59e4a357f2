package gatebook.events.journal.segment.file;

import gatebook.events.journal.CommittedBatch;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.StoredCheckpoint;
import gatebook.events.journal.tree.RightEdge;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The record of one batch in a segment: its events, a checkpoint, or both, with its length and a
 * checksum (CRC-32C).
 *
 * @param at where the record begins in its segment
 * @param offsets where each of its entries begins in the segment
 * @param intact whether the checksum is right; if not, the entries are what the bytes can be read
 *     as
 */
@SuppressWarnings("ArrayRecordComponent") // records are never compared
public record BatchRecord(
    long at,
    int bytes,
    long first,
    List<Entry> entries,
    int[] offsets,
    @Nullable StoredCheckpoint checkpoint,
    boolean intact) {
  public static final int HEAD_BYTES = 5 * Integer.BYTES + 2 * Long.BYTES;

  private static final int MAGIC = 0x4742_5331;
  private static final int BYTES_AT = Integer.BYTES;
  private static final int CHECKSUM_AT = 2 * Integer.BYTES;
  private static final int COUNT_AT = 3 * Integer.BYTES;
  private static final int SALT_AT = 4 * Integer.BYTES;
  private static final int FIRST_AT = SALT_AT + Long.BYTES;
  private static final int SIGNED_AT = FIRST_AT + Long.BYTES;

  /**
   * The head of a record: what says how long it is.
   *
   * @param signedBytes how many of its last bytes are a checkpoint
   */
  public record Head(int bytes, int count, long first, int signedBytes) {

    /** The head at the buffer's beginning; null when there is none of this segment. */
    public static @Nullable Head read(ByteBuffer from, long salt) {
      if (from.limit() < HEAD_BYTES
          || from.getInt(0) != MAGIC
          || from.getLong(SALT_AT) != salt
          || from.getInt(BYTES_AT) < HEAD_BYTES
          || from.getInt(COUNT_AT) < 0
          || from.getLong(FIRST_AT) < 1
          || from.getInt(SIGNED_AT) < 0
          || from.getInt(SIGNED_AT) > from.getInt(BYTES_AT) - HEAD_BYTES) {
        return null;
      }
      return new Head(
          from.getInt(BYTES_AT),
          from.getInt(COUNT_AT),
          from.getLong(FIRST_AT),
          from.getInt(SIGNED_AT));
    }
  }

  /** What a record says about the header of the segment whose first record it is. */
  static Optional<SegmentHeader> headerOf(ByteBuffer record, long first) {
    return record.getInt(0) == MAGIC
        ? Optional.of(new SegmentHeader(first, record.getLong(SALT_AT), new RightEdge()))
        : Optional.empty();
  }

  /** The position that the record after this one continues with. */
  public long next() {
    return first + entries.size();
  }

  long end() {
    return at + bytes;
  }

  /** The record of a batch, ready to be written, and where its entries are in it. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Encoded(ByteBuffer bytes, int[] offsets) {}

  /**
   * Encodes a batch for a segment.
   *
   * @param header of that segment
   * @param reused an array's buffer, which is used if it is large enough
   * @throws IOException if the batch is longer than a record can be
   */
  public static Encoded encode(CommittedBatch batch, SegmentHeader header, ByteBuffer reused)
      throws IOException {
    StoredCheckpoint checkpoint = batch.checkpoint();
    long bytesMax = HEAD_BYTES + (checkpoint == null ? 0 : EntryFormat.bytesMax(checkpoint));
    for (Entry entry : batch.entries()) {
      bytesMax += EntryFormat.bytesMax(entry);
    }
    if (bytesMax > Integer.MAX_VALUE - SegmentHeader.BYTES) {
      throw new IOException(
          "a batch of up to %d bytes is too long for a segment".formatted(bytesMax));
    }
    ByteBuffer into =
        bytesMax > reused.capacity() ? ByteBuffer.allocate((int) bytesMax) : reused.clear();
    long first = batch.first();
    into.position(HEAD_BYTES);
    int[] offsets = putEntries(batch.entries(), (int) (first - header.first()), into);
    int signedAt = into.position();
    if (checkpoint != null) {
      EntryFormat.put(checkpoint, into);
    }
    int signedBytes = into.position() - signedAt;
    into.flip();
    into.putInt(MAGIC).putInt(into.limit()).putInt(0).putInt(offsets.length);
    into.putLong(header.salt()).putLong(first).putInt(signedBytes).rewind();
    into.putInt(CHECKSUM_AT, checksum(into));
    return new Encoded(into, offsets);
  }

  private static int[] putEntries(List<Entry> entries, int number, ByteBuffer into) {
    int[] offsets = new int[entries.size()];
    for (int i = 0; i < offsets.length; i++) {
      offsets[i] = into.position();
      EntryFormat.put(entries.get(i), number + i, into);
    }
    return offsets;
  }

  /**
   * Decodes a record, also one whose checksum is wrong, as far as its structure is right.
   *
   * @param record exactly its bytes
   */
  static @Nullable BatchRecord decode(ByteBuffer record, long at, SegmentHeader header) {
    Head head = Head.read(record, header.salt());
    if (head == null || head.bytes() != record.limit()) {
      return null;
    }
    record.position(HEAD_BYTES);
    List<Entry> entries = new ArrayList<>();
    int[] offsets = new int[Math.min(head.count(), record.limit() / EntryFormat.HEAD_BYTES)];
    for (int i = 0; i < head.count(); i++) {
      int from = record.position();
      long position = head.first() + i;
      Entry entry = EntryFormat.read(record, (int) (position - header.first()), position);
      if (entry == null) {
        return null;
      }
      offsets[i] = (int) at + from;
      entries.add(entry);
    }
    StoredCheckpoint checkpoint = null;
    if (record.remaining() != head.signedBytes()) {
      return null;
    }
    if (record.hasRemaining()) {
      checkpoint = EntryFormat.readCheckpoint(record);
      if (checkpoint == null) {
        return null;
      }
    }
    boolean intact = record.getInt(CHECKSUM_AT) == checksum(record);
    return new BatchRecord(at, head.bytes(), head.first(), entries, offsets, checkpoint, intact);
  }

  /** The checksum of everything but its own field. */
  private static int checksum(ByteBuffer record) {
    int after = CHECKSUM_AT + Integer.BYTES;
    CRC32C sum = new CRC32C();
    sum.update(record.slice(0, CHECKSUM_AT));
    sum.update(record.slice(after, record.limit() - after));
    return (int) sum.getValue();
  }

  /** Where the next record of the segment may begin in the buffer; -1 when nowhere. */
  static int find(ByteBuffer in, int from, long salt) {
    for (int at = from; at + HEAD_BYTES <= in.limit(); at++) {
      if (in.getInt(at) == MAGIC && in.getLong(at + SALT_AT) == salt) {
        return at;
      }
    }
    return -1;
  }
}
