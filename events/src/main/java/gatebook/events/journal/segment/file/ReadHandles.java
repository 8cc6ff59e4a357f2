package gatebook.events.journal.segment.file;

import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Handles with which any thread reads files that are open for writing elsewhere: each read has a
 * handle for itself, so that no thread waits for another one, and an interrupted thread closes
 * nothing.
 *
 * <p>A bounded number of handles stays open for later reads.
 */
public final class ReadHandles implements AutoCloseable {
  private static final int IDLE_MAX = 256;
  private static final float LOAD = 0.75f;

  /** The files whose handles were used last are the last in the map. */
  private final Map<Path, ArrayDeque<RandomAccessFile>> idle =
      new LinkedHashMap<>(IDLE_MAX, LOAD, true);

  private int idleCount;
  private boolean closed;

  /** How often a file was replaced: a handle that was taken before may be one of the old file. */
  private volatile int replacements;

  /** Fills the bytes from a position of the file on. */
  public void readFully(Path file, long position, byte[] bytes, int from, int length)
      throws IOException {
    int before = replacements;
    RandomAccessFile handle = take(file);
    boolean usable = false;
    try {
      handle.seek(position);
      handle.readFully(bytes, from, length);
      usable = true;
    } catch (EOFException e) {
      usable = true;
      throw new EOFException(
          "%s ends before byte %d".formatted(file.getFileName(), position + length));
    } finally {
      if (usable) {
        give(file, handle, before);
      } else {
        handle.close();
      }
    }
  }

  long size(Path file) throws IOException {
    int before = replacements;
    RandomAccessFile handle = take(file);
    try {
      return handle.length();
    } finally {
      give(file, handle, before);
    }
  }

  private RandomAccessFile take(Path file) throws IOException {
    RandomAccessFile handle = takeIdle(file);
    return handle == null ? new RandomAccessFile(file.toFile(), "r") : handle;
  }

  private synchronized @Nullable RandomAccessFile takeIdle(Path file) {
    ArrayDeque<RandomAccessFile> handles = idle.get(file);
    if (handles == null) {
      return null;
    }
    RandomAccessFile handle = handles.pop();
    idleCount--;
    if (handles.isEmpty()) {
      idle.remove(file);
    }
    return handle;
  }

  private void give(Path file, RandomAccessFile handle, int before) throws IOException {
    RandomAccessFile surplus = keep(file, handle, before);
    if (surplus != null) {
      surplus.close();
    }
  }

  /** Returns the handle that is to be closed instead. */
  private synchronized @Nullable RandomAccessFile keep(
      Path file, RandomAccessFile handle, int before) {
    if (closed || replacements != before) {
      return handle;
    }
    idle.computeIfAbsent(file, _ -> new ArrayDeque<>()).push(handle);
    return ++idleCount > IDLE_MAX ? removeOldest() : null;
  }

  private RandomAccessFile removeOldest() {
    Iterator<ArrayDeque<RandomAccessFile>> files = idle.values().iterator();
    ArrayDeque<RandomAccessFile> oldest = files.next();
    RandomAccessFile handle = oldest.pollLast();
    idleCount--;
    if (oldest.isEmpty()) {
      files.remove();
    }
    return handle;
  }

  /** Closes the idle handles of a file that was replaced or removed, and keeps no other one. */
  public void forget(Path file) {
    ArrayDeque<RandomAccessFile> handles;
    synchronized (this) {
      replacements++;
      handles = idle.remove(file);
      idleCount -= handles == null ? 0 : handles.size();
    }
    if (handles != null) {
      handles.forEach(ReadHandles::closeQuietly);
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    idle.values().forEach(handles -> handles.forEach(ReadHandles::closeQuietly));
    idle.clear();
    idleCount = 0;
  }

  private static void closeQuietly(RandomAccessFile handle) {
    try {
      handle.close();
    } catch (IOException e) {
      // nothing was written with it
    }
  }
}
