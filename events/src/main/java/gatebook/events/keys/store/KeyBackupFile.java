package gatebook.events.keys.store;

import gatebook.events.keys.AesGcm;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.crypto.spec.GCMParameterSpec;
import org.jspecify.annotations.Nullable;

/**
 * The file of a backup of content keys: a header, then frames of records, encrypted one by one.
 * Each is bound to the header, to its number and to whether it is the last, so that none can be
 * left out, moved or taken from another backup.
 */
final class KeyBackupFile {

  static final String UNFINISHED = ".unfinished";

  private static final int FRAME_HEAD_BYTES = 1 + Integer.BYTES;
  private static final byte LAST = 1;

  private KeyBackupFile() {}

  /** The result of reading the header of a file. */
  sealed interface Header {
    @SuppressWarnings("ArrayRecordComponent") // handed on at once and never compared
    record Read(KeyBackupHeader header, byte[] bytes) implements Header {}

    record Refused(String sentence) implements Header {}
  }

  /** Why there can be no backup of this store in this file; empty when there can. */
  static Optional<String> obstacle(Path file, StoreContent content) throws IOException {
    Path directory = file.toAbsolutePath().getParent();
    if (directory != null && !Files.isDirectory(directory)) {
      return Optional.of("there is no directory %s: create it".formatted(directory));
    }
    if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      return Optional.empty();
    }
    if (Files.isRegularFile(file)) {
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
        if (header(file, channel) instanceof Header.Read(var header, _)
            && header.store().equals(content.store())) {
          return Optional.empty();
        }
      }
    }
    return Optional.of(
        "%s is there and is no backup of this store of keys: name another file".formatted(file));
  }

  /** Writes a backup beside the file, and gives it the name of the file when it is on the disk. */
  static void write(Path file, KeyDisk disk, StoreContent content, BackupKey key, Instant at)
      throws IOException {
    Path draft = file.resolveSibling(file.getFileName() + UNFINISHED);
    try {
      try (FileChannel channel = disk.create(draft)) {
        write(channel, disk, content, key, at);
        disk.force(channel);
      }
      disk.move(draft, file);
    } catch (IOException e) {
      Files.deleteIfExists(draft);
      throw e;
    }
  }

  private static void write(
      FileChannel file, KeyDisk disk, StoreContent content, BackupKey key, Instant at)
      throws IOException {
    KeyBackupHeader made = KeyBackupHeader.of(content, key, at);
    byte[] header = made.encode().array();
    byte[] fileKey = key.ofFile(made.random());
    disk.append(file, ByteBuffer.wrap(header));
    long number = 0;
    Iterator<List<? extends StoreRecord>> frames = frames(content);
    while (frames.hasNext()) {
      byte[] encoded = StoreRecord.encode(frames.next().toArray(StoreRecord[]::new));
      disk.append(file, frame(fileKey, header, number++, (byte) 0, encoded));
    }
    disk.append(file, frame(fileKey, header, number, LAST, new byte[0]));
  }

  /** One frame after the other, so that few keys are encoded at a time. */
  private static Iterator<List<? extends StoreRecord>> frames(StoreContent content) {
    return Stream.<List<? extends StoreRecord>>concat(
            KeyFile.erased(content.keys()).stream().map(List::of),
            KeyFile.frames(content.keys(), StoreRecord.Plain::new))
        .iterator();
  }

  private static ByteBuffer frame(
      byte[] fileKey, byte[] header, long number, byte last, byte[] records) {
    byte[] head =
        ByteBuffer.allocate(FRAME_HEAD_BYTES)
            .put(last)
            .putInt(records.length + AesGcm.TAG_BYTES)
            .array();
    return ByteBuffer.wrap(
        AesGcm.encrypt(fileKey, nonce(number), bound(header, last), records, head));
  }

  /** The key is of this file only, so that the number of the frame is used once. */
  private static GCMParameterSpec nonce(long number) {
    return AesGcm.nonce(
        ByteBuffer.allocate(AesGcm.NONCE_BYTES).putLong(Integer.BYTES, number).array());
  }

  private static byte[] bound(byte[] header, byte last) {
    return ByteBuffer.allocate(header.length + 1).put(header).put(last).array();
  }

  /** Reads the header. */
  static Header header(Path file, FileChannel channel) throws IOException {
    byte[] read = StoreFrames.read(channel, 0, KeyBackupHeader.BYTES);
    ByteBuffer bytes = ByteBuffer.wrap(read);
    if (!KeyBackupHeader.isBackup(bytes)) {
      return new Header.Refused("%s is no backup of content keys".formatted(file));
    }
    Optional<String> newer = KeyBackupHeader.newer(file.toString(), bytes);
    if (newer.isPresent()) {
      return new Header.Refused(newer.get());
    }
    KeyBackupHeader header = KeyBackupHeader.decode(bytes);
    return header == null ? new Header.Refused(damaged(file, 0)) : new Header.Read(header, read);
  }

  static String damaged(Path file, long at) {
    return "%s is damaged at byte %d: use another backup of the keys".formatted(file, at);
  }

  /** Reads the keys, and returns null when all could be read; else where the damage begins. */
  static @Nullable Long read(
      FileChannel file, byte[] header, byte[] fileKey, KeyFile.Builder builder) throws IOException {
    long size = file.size();
    long at = KeyBackupHeader.BYTES;
    for (long number = 0; ; number++) {
      ByteBuffer head = ByteBuffer.wrap(StoreFrames.read(file, at, FRAME_HEAD_BYTES));
      if (head.limit() < FRAME_HEAD_BYTES) {
        return at;
      }
      byte last = head.get(0);
      int length = head.getInt(1);
      long end = at + FRAME_HEAD_BYTES + length;
      if (length < AesGcm.TAG_BYTES || end > size || (last == LAST) != (end == size)) {
        return at;
      }
      byte[] records =
          AesGcm.decrypt(
              fileKey,
              nonce(number),
              bound(header, last),
              StoreFrames.read(file, at + FRAME_HEAD_BYTES, length),
              0);
      if (records == null || !builder.addAll(ByteBuffer.wrap(records))) {
        return at;
      }
      if (last == LAST) {
        return null;
      }
      at = end;
    }
  }
}
