package gatebook.events.journal.segment;

import java.io.IOException;
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

  private final class Stalling extends ForwardingFile {
    Stalling(WrittenFile real) {
      super(real);
    }

    @Override
    public void force() throws IOException {
      if (stall.getCount() > 0) {
        stalling = true;
        awaitEnd();
      }
      super.force();
    }

    private void awaitEnd() {
      try {
        stall.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
