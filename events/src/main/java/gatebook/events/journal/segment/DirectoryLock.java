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
 * the lock is shared: who writes is decided by {@link SegmentStorage}.
 */
final class DirectoryLock implements AutoCloseable {
  private static final String FILE = "lock";

  /** The locks of this process: the system gives up all of them when one is closed. */
  private static final Map<Path, DirectoryLock> HELD = new HashMap<>();

  private final Path directory;
  private final FileChannel channel;
  private int holders = 1;
  private boolean written;

  private DirectoryLock(Path directory, FileChannel channel) {
    this.directory = directory;
    this.channel = channel;
  }

  /** Takes the lock; empty when another process holds it. */
  static Optional<DirectoryLock> take(Path directory) throws IOException {
    Path key = directory.toRealPath();
    synchronized (HELD) {
      DirectoryLock held = HELD.get(key);
      if (held != null) {
        held.holders++;
        return Optional.of(held);
      }
      FileChannel channel =
          FileChannel.open(key.resolve(FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (tryLock(channel) == null) {
        channel.close();
        return Optional.empty();
      }
      DirectoryLock taken = new DirectoryLock(key, channel);
      HELD.put(key, taken);
      return Optional.of(taken);
    }
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  /** Lets one holder at a time write; false when another one does. */
  boolean tryWriting() {
    synchronized (HELD) {
      boolean free = !written;
      written = true;
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
        try {
          channel.close();
        } catch (IOException e) {
          // the system gives the lock up with the process
        }
      }
    }
  }
}
