package gatebook.events.keys.store;

import gatebook.events.journal.storage.OpenRefusal;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An open file of content keys, with the keys that wrap what is in it. */
record OpenKeyFile(
    FileChannel channel, StoreHeader header, WrappingKey wrappingKey, WrappingKey storeKey) {

  private static final Logger log = LoggerFactory.getLogger(OpenKeyFile.class);

  /** A file and what it holds. */
  record Loaded(OpenKeyFile file, StoreContent content) {}

  /** Opens the file in a directory, or creates an empty one. */
  static Loaded open(Path directory, WrappingKeySource source, RecordedKeys recorded, KeyDisk disk)
      throws OpenRefusal, IOException {
    disk.createDirectory(directory);
    disk.destroy(directory.resolve(FileKeyStore.UNFINISHED));
    return Files.exists(directory.resolve(FileKeyStore.FILE))
        ? load(directory, source, recorded, disk)
        : create(directory, source, recorded, disk);
  }

  private static Loaded create(
      Path directory, WrappingKeySource source, RecordedKeys recorded, KeyDisk disk)
      throws IOException {
    StoreContent content = StoreContent.empty(recorded.first());
    return new Loaded(
        write(directory, disk, content, source.initial(), WrappingKey.random()), content);
  }

  /** Writes a whole file and puts it in the place of the one of before. */
  static OpenKeyFile write(
      Path directory,
      KeyDisk disk,
      StoreContent content,
      WrappingKey wrappingKey,
      WrappingKey storeKey)
      throws IOException {
    Path unfinished = directory.resolve(FileKeyStore.UNFINISHED);
    StoreHeader header = StoreHeader.of(content, wrappingKey, storeKey);
    FileChannel channel = disk.create(unfinished);
    try {
      KeyFile.write(channel, disk, header, content, storeKey);
      disk.force(channel);
      disk.move(unfinished, directory.resolve(FileKeyStore.FILE));
      return new OpenKeyFile(channel, header, wrappingKey, storeKey);
    } catch (IOException | RuntimeException | Error e) {
      channel.close();
      throw e;
    }
  }

  /**
   * Closes a file that another took the place of, and overwrites its header: without that nothing
   * opens what the disk still has of it.
   */
  void abandon(KeyDisk disk) throws IOException {
    try (channel) {
      disk.overwrite(channel, StoreHeader.BYTES);
    }
  }

  private static Loaded load(
      Path directory, WrappingKeySource source, RecordedKeys recorded, KeyDisk disk)
      throws OpenRefusal, IOException {
    Path path = directory.resolve(FileKeyStore.FILE);
    FileChannel channel = disk.open(path);
    try {
      StoreHeader header = header(path, channel);
      WrappingKey wrappingKey = source.of(header.fingerprint(), directory.toString());
      WrappingKey storeKey = StoreHeader.storeKey(header.store(), wrappingKey, header.wrapped());
      if (storeKey == null) {
        throw damaged(path, 0);
      }
      StoreContent content =
          switch (KeyFile.read(channel, header, storeKey)) {
            case KeyFile.Reading.Damaged(long at) -> throw damaged(path, at);
            case KeyFile.Reading.Read(var read, long end) -> {
              cut(path, channel, end, disk);
              yield read;
            }
          };
      recorded.check(content, directory.toString());
      return new Loaded(new OpenKeyFile(channel, header, wrappingKey, storeKey), content);
    } catch (OpenRefusal | IOException | RuntimeException | Error e) {
      channel.close();
      throw e;
    }
  }

  private static StoreHeader header(Path path, FileChannel channel)
      throws OpenRefusal, IOException {
    ByteBuffer bytes = ByteBuffer.wrap(StoreFrames.read(channel, 0, StoreHeader.BYTES));
    Optional<String> newer = StoreHeader.newer(path.toString(), bytes);
    if (newer.isPresent()) {
      throw new OpenRefusal(newer.get());
    }
    StoreHeader header = StoreHeader.decode(bytes);
    if (header == null) {
      throw damaged(path, 0);
    }
    return header;
  }

  /** Cuts off what a killed process had not written to its end. */
  private static void cut(Path path, FileChannel channel, long end, KeyDisk disk)
      throws IOException {
    long size = channel.size();
    if (size > end) {
      log.atWarn()
          .addKeyValue("file", path)
          .addKeyValue("bytes", size - end)
          .log("the last keys of a process that ended were not written whole: no event uses them");
      disk.truncate(channel, end);
      disk.force(channel);
    }
  }

  private static OpenRefusal damaged(Path path, long at) {
    return new OpenRefusal(
        "%s is damaged at byte %d: put the whole directory back from its copy; without one, what its keys sealed cannot be read"
            .formatted(path, at));
  }
}
