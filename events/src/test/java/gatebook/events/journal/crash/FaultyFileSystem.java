package gatebook.events.journal.crash;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.util.Optional;
import org.h2.store.fs.FileBaseDefault;
import org.h2.store.fs.FilePathWrapper;

/**
 * A faulty file system: puts a {@link FaultyDisk} below those database files that have one. H2
 * creates it, so it is public.
 */
public final class FaultyFileSystem extends FilePathWrapper {
  static final String SCHEME = "faulty";

  @Override
  public String getScheme() {
    return SCHEME;
  }

  @Override
  public FileChannel open(String mode) throws IOException {
    FileChannel real = super.open(mode);
    Optional<FaultyDisk.OneFile> disk = FaultyDisk.of(name.substring(name.lastIndexOf(':') + 1));
    return disk.isPresent() ? new OnDisk(real, disk.get()) : real;
  }

  private static final class OnDisk extends FileBaseDefault {
    private final FileChannel real;
    private final FaultyDisk.OneFile disk;

    OnDisk(FileChannel real, FaultyDisk.OneFile disk) {
      this.real = real;
      this.disk = disk;
    }

    @Override
    public synchronized int read(ByteBuffer into, long position) throws IOException {
      return real.read(into, position);
    }

    @Override
    public synchronized int write(ByteBuffer from, long position) throws IOException {
      disk.beforeWrite();
      byte[] bytes = new byte[from.remaining()];
      from.duplicate().get(bytes);
      int count = real.write(from, position);
      disk.written(position, ByteBuffer.wrap(bytes).limit(count));
      return count;
    }

    @Override
    protected void implTruncate(long size) throws IOException {
      real.truncate(size);
      disk.truncated(size);
    }

    @Override
    public void force(boolean metaData) throws IOException {
      disk.force(() -> real.force(metaData));
    }

    @Override
    public long size() throws IOException {
      return real.size();
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) throws IOException {
      return real.tryLock(position, size, shared);
    }

    @Override
    protected void implCloseChannel() throws IOException {
      real.close();
    }
  }
}
