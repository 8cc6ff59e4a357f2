package gatebook.events.keys.store;

import gatebook.events.keys.store.StoreRecord.Erased;
import gatebook.events.keys.store.StoreRecord.OfJournal;
import gatebook.events.keys.store.StoreRecord.Rotated;
import gatebook.events.keys.store.StoreRecord.RotationRecorded;
import gatebook.events.keys.store.StoreRecord.WrappedKey;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** The file of a store of content keys, as it is written and read. */
final class KeyFile {

  /** How many keys or ids are in one frame of a file that is written anew. */
  private static final int FRAME_ROWS = 1 << 12;

  private KeyFile() {}

  /** The result of reading a file. */
  sealed interface Reading {
    /**
     * The content.
     *
     * @param end where the last whole frame ends
     */
    record Read(StoreContent content, long end) implements Reading {}

    record Damaged(long at) implements Reading {}
  }

  /** Writes a store whole. */
  static void write(
      FileChannel file, KeyDisk disk, StoreHeader header, StoreContent content, WrappingKey key)
      throws IOException {
    disk.append(file, header.encode());
    List<StoreRecord> records = new ArrayList<>();
    content.journal().ifPresent(leaf -> records.add(new OfJournal(leaf)));
    content.unrecorded().ifPresent(rotation -> records.add(new Rotated(rotation)));
    long[] erased = content.keys().erased().toArray();
    for (int from = 0; from < erased.length; from += FRAME_ROWS) {
      records.add(new Erased(LongStream.of(erased).skip(from).limit(FRAME_ROWS).toArray()));
    }
    append(file, disk, header, records);
    Iterator<PlainKey> keys = content.keys().all().iterator();
    while (keys.hasNext()) {
      List<StoreRecord> some = new ArrayList<>();
      while (keys.hasNext() && some.size() < FRAME_ROWS) {
        some.add(WrappedKey.of(keys.next(), header.store(), key));
      }
      append(file, disk, header, some);
    }
  }

  static void append(
      FileChannel file, KeyDisk disk, StoreHeader header, List<? extends StoreRecord> records)
      throws IOException {
    if (!records.isEmpty()) {
      byte[] encoded = StoreRecord.encode(records.toArray(StoreRecord[]::new));
      disk.append(file, StoreFrames.encode(header.salt(), encoded));
    }
  }

  /**
   * Reads a file to its last whole frame. What follows that may be of a process that was killed.
   */
  static Reading read(FileChannel file, StoreHeader header, WrappingKey storeKey)
      throws IOException {
    StoreFrames frames = new StoreFrames(file, header.salt());
    Builder builder = new Builder(header, storeKey);
    for (ByteBuffer records = frames.next(); records != null; records = frames.next()) {
      if (!builder.addAll(records)) {
        return new Reading.Damaged(frames.end());
      }
    }
    return frames.isFollowed()
        ? new Reading.Damaged(frames.end())
        : new Reading.Read(builder.content(), frames.end());
  }

  /** Puts together what the records of a file say. */
  private static final class Builder {
    private final StoreHeader header;
    private final WrappingKey storeKey;
    private final KeyIndex keys = new KeyIndex(LongStream.empty());
    private final List<LongStream> erased = new ArrayList<>();
    private Optional<StoreContent.FirstLeaf> journal = Optional.empty();
    private Optional<WrappingRotation> unrecorded = Optional.empty();

    Builder(StoreHeader header, WrappingKey storeKey) {
      this.header = header;
      this.storeKey = storeKey;
    }

    /** Whether all records could be read. */
    boolean addAll(ByteBuffer records) {
      try {
        while (records.hasRemaining()) {
          if (!add(StoreRecord.decode(records))) {
            return false;
          }
        }
        return true;
      } catch (BufferUnderflowException _) {
        return false;
      }
    }

    private boolean add(@Nullable StoreRecord record) {
      switch (record) {
        case null -> {
          return false;
        }
        case WrappedKey key -> {
          return add(key);
        }
        case Erased(var ids) -> erased.add(LongStream.of(ids));
        case OfJournal(var leaf) -> journal = Optional.of(leaf);
        case Rotated(var rotation) -> unrecorded = Optional.of(rotation);
        case RotationRecorded() -> unrecorded = Optional.empty();
      }
      return true;
    }

    private boolean add(WrappedKey key) {
      PlainKey plain = key.unwrapped(header.store(), storeKey);
      if (plain == null) {
        return false;
      }
      keys.add(plain);
      return true;
    }

    StoreContent content() {
      LongStream ids = erased.stream().reduce(LongStream.empty(), LongStream::concat);
      return new StoreContent(
          header.store(), header.erasedUpTo(), journal, unrecorded, keys.without(ids.toArray()));
    }
  }
}
