package gatebook.query.projection;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import org.h2.store.fs.FileBaseDefault;
import org.h2.store.fs.FilePath;
import org.h2.store.fs.FilePathWrapper;

/**
 * An interrupt-safe file system for H2: its files stay open when a thread that uses them is
 * interrupted, and the calling thread does the I/O itself.
 *
 * <p>Of H2's own file systems, the plain one closes the whole database with the interrupted thread.
 * The other one passes each read and each write to another thread, and on a busy machine a commit
 * waits longer for that thread than for the disk.
 *
 * <p>It is public because H2 creates instances of it.
 */
public final class InterruptSafeFileSystem extends FilePathWrapper {

  /** The scheme: the part of a file name before the colon. */
  static final String SCHEME = "steady";

  /** Registers the file system with H2. */
  static void register() {
    FilePath.register(new InterruptSafeFileSystem());
  }

  @Override
  public String getScheme() {
    return SCHEME;
  }

  @Override
  public FileChannel open(String mode) throws IOException {
    return new Channel(new RandomAccessFile(getBase().toString(), mode));
  }

  private static final class Channel extends FileBaseDefault {

    /** Has a single position: a thread that moves it holds the lock until it has used it. */
    private final RandomAccessFile file;

    Channel(RandomAccessFile file) {
      this.file = file;
    }

    @Override
    @SuppressWarnings("UnsynchronizedOverridesSynchronized") // the file's own lock is enough
    public int read(ByteBuffer target, long position) throws IOException {
      byte[] bytes = target.hasArray() ? target.array() : new byte[target.remaining()];
      int from = target.hasArray() ? target.arrayOffset() + target.position() : 0;
      int count = read(bytes, from, target.remaining(), position);
      if (count > 0 && target.hasArray()) {
        target.position(target.position() + count);
      } else if (count > 0) {
        target.put(bytes, 0, count);
      }
      return count;
    }

    private int read(byte[] bytes, int from, int count, long position) throws IOException {
      synchronized (file) {
        file.seek(position);
        return file.read(bytes, from, count);
      }
    }

    @Override
    @SuppressWarnings("UnsynchronizedOverridesSynchronized") // the file's own lock is enough
    public int write(ByteBuffer source, long position) throws IOException {
      int count = source.remaining();
      if (source.hasArray()) {
        write(source.array(), source.arrayOffset() + source.position(), count, position);
        source.position(source.limit());
      } else {
        byte[] bytes = new byte[count];
        source.get(bytes);
        write(bytes, 0, count, position);
      }
      return count;
    }

    private void write(byte[] bytes, int from, int count, long position) throws IOException {
      synchronized (file) {
        file.seek(position);
        file.write(bytes, from, count);
      }
    }

    /** Takes no lock: readers do not wait for a force. */
    @Override
    public void force(boolean metaData) throws IOException {
      file.getFD().sync();
    }

    @Override
    public long size() throws IOException {
      return file.length();
    }

    @Override
    protected void implTruncate(long size) throws IOException {
      synchronized (file) {
        if (size < file.length()) {
          file.setLength(size);
        }
      }
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) throws IOException {
      return file.getChannel().tryLock(position, size, shared);
    }

    @Override
    protected void implCloseChannel() throws IOException {
      file.close();
    }
  }
}
