package gatebook.api.data;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * The lock {@code owner.lock}, held for as long as this process owns the data directory.
 *
 * <p>It is a lock of the operating system, so it ends with the process, however that ends; the text
 * in the file only names its holder. The file is never deleted: two processes could then each lock
 * a file of that name.
 */
final class OwnerLock implements AutoCloseable {

  static final String FILE = "owner.lock";

  private static final int TEXT_BYTES_MAX = 1024;

  /**
   * The only channel to the file: closing another one would release the lock of the whole process.
   */
  private final FileChannel channel;

  private DirectoryOwner directoryOwner;

  /** The outcome of trying to become the owner. */
  sealed interface Taking {
    record Taken(OwnerLock lock) implements Taking {}

    record HeldBy(Optional<DirectoryOwner> other) implements Taking {}
  }

  private OwnerLock(FileChannel channel, DirectoryOwner directoryOwner) {
    this.channel = channel;
    this.directoryOwner = directoryOwner;
  }

  @SuppressWarnings("resource") // the lock keeps the channel
  static Taking take(Path directory) throws IOException {
    FileChannel channel = PrivateFile.open(directory.resolve(FILE));
    if (!isFree(channel, false)) {
      Optional<DirectoryOwner> other = DirectoryOwner.read(text(channel));
      channel.close();
      return new Taking.HeldBy(other);
    }
    OwnerLock lock = new OwnerLock(channel, DirectoryOwner.thisProcess());
    lock.write(lock.directoryOwner.json());
    return new Taking.Taken(lock);
  }

  /** The process that owns the directory, in which nothing is changed; empty when none does. */
  static Optional<Taking.HeldBy> holder(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory.resolve(FILE), StandardOpenOption.READ)) {
      return isFree(channel, true)
          ? Optional.empty()
          : Optional.of(new Taking.HeldBy(DirectoryOwner.read(text(channel))));
    } catch (NoSuchFileException | AccessDeniedException _) {
      return Optional.empty(); // a directory that was never opened, or is of another user
    }
  }

  void announce(int adminPort) {
    announce(directoryOwner.withAdminPort(adminPort));
  }

  void announce(OwnerAddress address) {
    announce(directoryOwner.withAddress(address));
  }

  void announceConsole(String url) {
    announce(directoryOwner.withConsole(url));
  }

  void announceProbes(String url) {
    announce(directoryOwner.withProbeUrl(url));
  }

  private synchronized void announce(DirectoryOwner more) {
    directoryOwner = more;
    try {
      write(more.json());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try (channel) {
      channel.truncate(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isFree(FileChannel channel, boolean isShared) throws IOException {
    try {
      return channel.tryLock(0, Long.MAX_VALUE, isShared) != null;
    } catch (OverlappingFileLockException _) {
      return false; // held by another node in this process
    }
  }

  private static String text(FileChannel channel) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(TEXT_BYTES_MAX);
    int length = Math.max(0, channel.read(bytes, 0));
    return new String(bytes.array(), 0, length, StandardCharsets.UTF_8);
  }

  private void write(String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    channel.write(ByteBuffer.wrap(bytes), 0);
    channel.truncate(bytes.length);
  }
}
