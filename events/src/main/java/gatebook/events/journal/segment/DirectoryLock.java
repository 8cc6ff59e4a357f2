package gatebook.events.journal.segment;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The lock on the directory of a journal, which one process holds at a time. Within that process
 * the lock is shared, and {@link SegmentStorage} decides which holder writes.
 */
final class DirectoryLock implements AutoCloseable {
  private static final String FILE = "lock";

  /** The locks of this process: the system gives up all of them when one is closed. */
  private static final Map<Path, DirectoryLock> HELD = new HashMap<>();

  private final Path directory;

  /** Absent where there is no file to lock, as in a copy that is only read. */
  private @Nullable FileChannel channel;

  private boolean isShared;
  private int holders = 1;
  private boolean written;

  private DirectoryLock(Path directory, @Nullable FileChannel channel, boolean isShared) {
    this.directory = directory;
    this.channel = channel;
    this.isShared = isShared;
  }

  /** Takes the lock; empty when another process holds it. */
  static Optional<DirectoryLock> take(Path directory) throws IOException {
    Path key = directory.toRealPath();
    synchronized (HELD) {
      DirectoryLock held = HELD.get(key);
      if (held != null) {
        return held.becomeExclusive() ? Optional.of(held.hold()) : Optional.empty();
      }
      return exclusive(key).map(channel -> hold(new DirectoryLock(key, channel, false)));
    }
  }

  /**
   * Takes the lock to read, and changes nothing in the directory; empty when another process writes
   * there. Without a file to lock, which every writer makes first, there is no such process.
   */
  static Optional<DirectoryLock> takeShared(Path directory) throws IOException {
    Path key = directory.toRealPath();
    synchronized (HELD) {
      DirectoryLock held = HELD.get(key);
      if (held != null) {
        return Optional.of(held.hold());
      }
      FileChannel channel = openToRead(key);
      if (channel != null && tryLock(channel, true) == null) {
        channel.close();
        return Optional.empty();
      }
      return Optional.of(hold(new DirectoryLock(key, channel, true)));
    }
  }

  private static @Nullable FileChannel openToRead(Path directory) {
    try {
      return FileChannel.open(directory.resolve(FILE), StandardOpenOption.READ);
    } catch (IOException e) {
      return null; // a user who may not read it cannot ask
    }
  }

  private static Optional<FileChannel> exclusive(Path directory) throws IOException {
    FileChannel channel =
        FileChannel.open(
            directory.resolve(FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    if (tryLock(channel, false) == null) {
      channel.close();
      return Optional.empty();
    }
    return Optional.of(channel);
  }

  private static DirectoryLock hold(DirectoryLock taken) {
    HELD.put(taken.directory, taken);
    return taken;
  }

  private DirectoryLock hold() {
    holders++;
    return this;
  }

  /** False when another process was faster: then nothing is held any longer. */
  private boolean becomeExclusive() throws IOException {
    if (isShared) {
      closeChannel(); // the system gives up all locks of this process on the file
      channel = exclusive(directory).orElse(null);
      isShared = channel == null;
    }
    return !isShared;
  }

  private static @Nullable FileLock tryLock(FileChannel channel, boolean isShared)
      throws IOException {
    try {
      return channel.tryLock(0, Long.MAX_VALUE, isShared);
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  /** Lets one holder at a time write; false when another one does. */
  boolean tryWriting() throws IOException {
    synchronized (HELD) {
      boolean free = !written && becomeExclusive();
      written = written || free;
      return free;
    }
  }

  void endWriting() {
    synchronized (HELD) {
      written = false;
    }
  }

  @Override
  public void close() {
    synchronized (HELD) {
      if (--holders == 0) {
        HELD.remove(directory);
        closeChannel();
      }
    }
  }

  private void closeChannel() {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      // the system gives the lock up with the process
    }
  }
}
