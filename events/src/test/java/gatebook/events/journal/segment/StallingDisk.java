package gatebook.events.journal.segment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** A disk that stalls its forces on command. */
public final class StallingDisk implements SegmentDisk {
  private volatile CountDownLatch stall = new CountDownLatch(0);
  private volatile boolean stalling;

  /** Closing it ends the stall. */
  public interface Stall extends AutoCloseable {
    @Override
    void close();
  }

  public Stall stall() {
    CountDownLatch latch = new CountDownLatch(1);
    stalling = false;
    stall = latch;
    return latch::countDown;
  }

  /** Ends the stall, if there is one. */
  public void endStall() {
    stall.countDown();
  }

  /** Whether a force waits for the end of the stall. */
  public boolean isStalling() {
    return stalling;
  }

  @Override
  public WrittenFile open(Path file) throws IOException {
    return new Stalling(LOCAL.open(file));
  }

  private final class Stalling implements WrittenFile {
    private final WrittenFile real;

    Stalling(WrittenFile real) {
      this.real = real;
    }

    @Override
    public void write(ByteBuffer source, long position) throws IOException {
      real.write(source, position);
    }

    @Override
    public void truncate(long size) throws IOException {
      real.truncate(size);
    }

    @Override
    public long size() throws IOException {
      return real.size();
    }

    @Override
    public void force() throws IOException {
      if (stall.getCount() > 0) {
        stalling = true;
        awaitEnd();
      }
      real.force();
    }

    private void awaitEnd() {
      try {
        stall.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void close() throws IOException {
      real.close();
    }
  }
}
