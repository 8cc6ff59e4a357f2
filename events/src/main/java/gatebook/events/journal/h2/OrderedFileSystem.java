package gatebook.events.journal.h2;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import org.h2.store.fs.FileBaseDefault;
import org.h2.store.fs.FilePath;
import org.h2.store.fs.FilePathWrapper;

/**
 * An ordered file system for H2: no write and no truncation reaches the disk before the previous
 * one.
 *
 * <p>H2 appends a chunk at a time and overwrites chunks that newer ones made obsolete. Its
 * background housekeeping writes such chunks without forcing them, and the next commit may
 * overwrite the chunks that they replace: a loss of power that keeps the second write and not the
 * first loses both states. Forcing between the two writes prevents that. A commit that is forced
 * anyway pays nothing for it.
 */
public final class OrderedFileSystem extends FilePathWrapper {
  static final String SCHEME = "forced-in-order";

  /** Registers the file system with H2. */
  static void register() {
    FilePath.register(new OrderedFileSystem());
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
    private boolean dirty;

    Channel(FileChannel base) {
      this.base = base;
    }

    @Override
    public synchronized int write(ByteBuffer source, long position) throws IOException {
      forcePreviousWrite();
      return base.write(source, position);
    }

    @Override
    public synchronized void force(boolean metaData) throws IOException {
      base.force(metaData);
      dirty = false;
    }

    @Override
    @SuppressWarnings("UnsynchronizedOverridesSynchronized") // readers must not wait for a force
    public int read(ByteBuffer target, long position) throws IOException {
      return base.read(target, position);
    }

    @Override
    public long size() throws IOException {
      return base.size();
    }

    @Override
    protected synchronized void implTruncate(long size) throws IOException {
      forcePreviousWrite();
      base.truncate(size);
    }

    private void forcePreviousWrite() throws IOException {
      if (dirty) {
        force(true);
      }
      dirty = true;
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
