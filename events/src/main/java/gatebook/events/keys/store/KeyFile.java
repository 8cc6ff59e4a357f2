package gatebook.events.keys.store;

import gatebook.events.keys.store.StoreRecord.Erased;
import gatebook.events.keys.store.StoreRecord.OfJournal;
import gatebook.events.keys.store.StoreRecord.Plain;
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
import java.util.function.Function;
import java.util.stream.Gatherers;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The file of a store of content keys, as it is written and read. */
final class KeyFile {

  /** How many keys or ids are in one frame of a file that is written anew. */
  static final int FRAME_ROWS = 1 << 12;

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
    records.addAll(erased(content.keys()));
    append(file, disk, header, records);
    Iterator<List<WrappedKey>> frames =
        frames(content.keys(), plain -> WrappedKey.of(plain, header.store(), key)).iterator();
    while (frames.hasNext()) {
      append(file, disk, header, frames.next());
    }
  }

  /** The records of keys, those of one frame after the other. */
  static <T> Stream<List<T>> frames(KeyIndex keys, Function<PlainKey, T> record) {
    return keys.all().map(record).gather(Gatherers.windowFixed(FRAME_ROWS));
  }

  /** The ids of erased keys, some in each record. */
  static List<Erased> erased(KeyIndex keys) {
    return keys.erased()
        .boxed()
        .gather(Gatherers.windowFixed(FRAME_ROWS))
        .map(ids -> new Erased(ids.stream().mapToLong(it -> it).toArray()))
        .toList();
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
    Builder builder =
        new Builder(record ->
            record instanceof WrappedKey key ? key.unwrapped(header.store(), storeKey) : null);
    for (ByteBuffer records = frames.next(); records != null; records = frames.next()) {
      if (!builder.addAll(records)) {
        return new Reading.Damaged(frames.end());
      }
    }
    return frames.isFollowed()
        ? new Reading.Damaged(frames.end())
        : new Reading.Read(builder.content(header), frames.end());
  }

  /** Puts together what the records of a file say. */
  static final class Builder {
    private final Function<StoreRecord, @Nullable PlainKey> opened;
    private final KeyIndex keys = new KeyIndex(LongStream.empty());
    private final List<LongStream> erased = new ArrayList<>();
    private Optional<StoreContent.FirstLeaf> journal = Optional.empty();
    private Optional<WrappingRotation> unrecorded = Optional.empty();

    /**
     * @param opened the key in a record; null when it is not one as it should be
     */
    Builder(Function<StoreRecord, @Nullable PlainKey> opened) {
      this.opened = opened;
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
        case WrappedKey _, Plain _ -> {
          return addKey(record);
        }
        case Erased(var ids) -> erased.add(LongStream.of(ids));
        case OfJournal(var leaf) -> journal = Optional.of(leaf);
        case Rotated(var rotation) -> unrecorded = Optional.of(rotation);
        case RotationRecorded() -> unrecorded = Optional.empty();
      }
      return true;
    }

    private boolean addKey(StoreRecord record) {
      PlainKey plain = opened.apply(record);
      if (plain == null) {
        return false;
      }
      keys.add(plain);
      return true;
    }

    KeyIndex keys() {
      LongStream ids = erased.stream().reduce(LongStream.empty(), LongStream::concat);
      return keys.without(ids.toArray());
    }

    StoreContent content(StoreHeader header) {
      return new StoreContent(header.store(), header.erasedUpTo(), journal, unrecorded, keys());
    }
  }
}
