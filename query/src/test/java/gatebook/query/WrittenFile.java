package gatebook.query;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.h2.store.fs.FileBaseDefault;
import org.h2.store.fs.FilePath;
import org.h2.store.fs.FilePathWrapper;

/**
 * A written file of H2 that remembers each write, so that it can be had as it was after any of
 * them. That is what a killed process leaves.
 */
public final class WrittenFile extends FilePathWrapper {
  static final String SCHEME = "written";

  private static final List<Write> WRITES = new ArrayList<>();

  /** Bytes at a position, or a truncation to the position when there are none. */
  private record Write(long position, ByteBuffer bytes) {}

  /** Forgets the writes of before. */
  static void register() {
    synchronized (WRITES) {
      WRITES.clear();
    }
    FilePath.register(new WrittenFile());
  }

  static int writes() {
    synchronized (WRITES) {
      return WRITES.size();
    }
  }

  /** Makes a file with the first of the writes. */
  static void copy(int first, Path to) throws IOException {
    List<Write> writes;
    synchronized (WRITES) {
      writes = List.copyOf(WRITES.subList(0, first));
    }
    Files.deleteIfExists(to);
    try (FileChannel file =
        FileChannel.open(to, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      for (Write write : writes) {
        if (!write.bytes.hasRemaining()) {
          file.truncate(write.position);
        } else {
          file.write(write.bytes.duplicate(), write.position);
        }
      }
    }
  }

  @Override
  public String getScheme() {
    return SCHEME;
  }

  @Override
  public FileChannel open(String mode) throws IOException {
    return new Channel(super.open(mode));
  }

  private static final class Channel extends FileBaseDefault {
    private final FileChannel base;

    Channel(FileChannel base) {
      this.base = base;
    }

    @Override
    public synchronized int write(ByteBuffer source, long position) throws IOException {
      ByteBuffer bytes = ByteBuffer.allocate(source.remaining()).put(source.duplicate()).flip();
      synchronized (WRITES) {
        WRITES.add(new Write(position, bytes));
        return base.write(source, position);
      }
    }

    @Override
    @SuppressWarnings("UnsynchronizedOverridesSynchronized") // the base does it
    public int read(ByteBuffer target, long position) throws IOException {
      return base.read(target, position);
    }

    @Override
    protected synchronized void implTruncate(long size) throws IOException {
      synchronized (WRITES) {
        if (size < base.size()) {
          WRITES.add(new Write(size, ByteBuffer.allocate(0)));
        }
        base.truncate(size);
      }
    }

    @Override
    public long size() throws IOException {
      return base.size();
    }

    @Override
    public void force(boolean metaData) throws IOException {
      base.force(metaData);
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) throws IOException {
      return base.tryLock(position, size, shared);
    }

    @Override
    protected void implCloseChannel() throws IOException {
      base.close();
    }
  }
}
