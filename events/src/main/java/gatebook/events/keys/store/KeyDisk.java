package gatebook.events.keys.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Set;

/**
 * The disk to which files of keys are written; a test puts one in its place that stops at any step.
 */
class KeyDisk {
  private static final SecureRandom RANDOM = new SecureRandom();

  /** Creates a directory that only its owner can enter. */
  void createDirectory(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      Files.createDirectory(
          directory,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      forceDirectory(directory);
    }
  }

  /** Opens a new file that only its owner can read; replaces one that an earlier process left. */
  FileChannel create(Path file) throws IOException {
    destroy(file);
    return FileChannel.open(
        file,
        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
  }

  FileChannel open(Path file) throws IOException {
    return FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  /** Writes all that remains in the source at the end of the file. */
  void append(FileChannel file, ByteBuffer source) throws IOException {
    long to = file.size();
    while (source.hasRemaining()) {
      to += file.write(source, to);
    }
  }

  void truncate(FileChannel file, long size) throws IOException {
    file.truncate(size);
  }

  /** Returns when everything that was written is on the disk. */
  void force(FileChannel file) throws IOException {
    file.force(true);
  }

  /** Gives a file the name of another, which is replaced; durable when it returns. */
  void move(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    forceDirectory(to);
  }

  /** Overwrites a file with random bytes and deletes it; durable when it returns. */
  void destroy(Path file) throws IOException {
    if (Files.exists(file)) {
      overwrite(file);
      delete(file);
      forceDirectory(file);
    }
  }

  void overwrite(Path file) throws IOException {
    try (FileChannel channel = open(file)) {
      overwrite(channel, channel.size());
    }
  }

  /** Overwrites the beginning of a file with random bytes; durable when it returns. */
  void overwrite(FileChannel file, long length) throws IOException {
    byte[] random = new byte[(int) Math.min(length, 1 << 16)];
    RANDOM.nextBytes(random);
    for (long at = 0; at < length; at += random.length) {
      int some = (int) Math.min(random.length, length - at);
      file.write(ByteBuffer.wrap(random, 0, some), at);
    }
    force(file);
  }

  void delete(Path file) throws IOException {
    Files.delete(file);
  }

  /** A directory's entries are on disk only after the directory itself was forced. */
  void forceDirectory(Path entry) throws IOException {
    Path directory = entry.toAbsolutePath().getParent();
    if (directory != null) {
      try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
        channel.force(true);
      }
    }
  }
}
