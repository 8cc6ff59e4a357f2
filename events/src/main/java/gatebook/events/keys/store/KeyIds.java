package gatebook.events.keys.store;

import gatebook.events.journal.postgres.SharedLocation;
import gatebook.events.journal.storage.StorageFailure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * The ids of the keys of a store, of the erased ones too, read without a key and without changing
 * anything. Whether a wrapping key opens the keys is not looked at.
 */
public final class KeyIds {
  private final long[] ids;

  private KeyIds(LongStream ids) {
    this.ids = ids.sorted().toArray();
  }

  /** The result of reading. */
  public sealed interface Reading {
    record Read(KeyIds keyIds) implements Reading {}

    /** The sentence says why they are not known. */
    record Unknown(String sentence) implements Reading {}
  }

  /** Whether a key that an event names is neither in the store nor erased. */
  public boolean isMissing(String key) {
    Long id = PlainKey.id(key);
    return id == null || Arrays.binarySearch(ids, id) < 0;
  }

  /** Reads the ids in a directory of keys. */
  public static Reading in(Path directory) {
    Path file = directory.resolve(FileKeyStore.FILE);
    if (!Files.exists(file)) {
      return new Reading.Unknown("there are no content keys in " + directory);
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      StoreHeader header =
          StoreHeader.decode(ByteBuffer.wrap(StoreFrames.read(channel, 0, StoreHeader.BYTES)));
      return header == null
          ? new Reading.Unknown("%s is damaged at byte 0".formatted(file))
          : read(new StoreFrames(channel, header.salt()));
    } catch (IOException e) {
      return new Reading.Unknown(
          "%s cannot be read: %s".formatted(file, StorageFailure.describe(e)));
    }
  }

  private static Reading read(StoreFrames frames) throws IOException {
    LongStream.Builder ids = LongStream.builder();
    for (ByteBuffer records = frames.next(); records != null; records = frames.next()) {
      while (records.hasRemaining()) {
        switch (StoreRecord.decode(records)) {
          case StoreRecord.WrappedKey key -> ids.add(key.id());
          case StoreRecord.Erased(var erased) -> LongStream.of(erased).forEach(ids::add);
          case null -> {
            return new Reading.Unknown("the content keys are damaged: a start says where");
          }
          default -> {
            // it has no key
          }
        }
      }
    }
    return frames.isFollowed()
        ? new Reading.Unknown("the content keys are damaged: a start says where")
        : new Reading.Read(new KeyIds(ids.build()));
  }

  /** Reads the ids in a shared database. */
  public static Reading in(SharedLocation location) {
    try (KeyConnection database = new KeyConnection(location)) {
      return database.run(
          tables -> new Reading.Read(new KeyIds(tables.allIds().stream().mapToLong(it -> it))));
    } catch (IOException | SQLException e) {
      return new Reading.Unknown(
          "the content keys in %s cannot be read: %s"
              .formatted(location.describe(), StorageFailure.describe(e)));
    }
  }
}
