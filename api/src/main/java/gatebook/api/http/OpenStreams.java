package gatebook.api.http;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;

/** The open streams of one kind in this process, with the timer of their keep-alive comments. */
public final class OpenStreams implements AutoCloseable {
  private final Set<EndableStream> open = ConcurrentHashMap.newKeySet();
  private final ScheduledThreadPoolExecutor timer;
  private volatile boolean closed;

  /** A stream that can be ended before its time. */
  public interface EndableStream {

    /** Ends the stream after the events so far. */
    void end();
  }

  /** {@code name} is that of the timer's thread. */
  public OpenStreams(String name) {
    this.timer =
        new ScheduledThreadPoolExecutor(
            1,
            Thread.ofPlatform().name(name).daemon().factory(),
            // a stream that opens while the process stops has ended already
            new ThreadPoolExecutor.DiscardPolicy());
    timer.setRemoveOnCancelPolicy(true); // most streams end long before their time
  }

  public ScheduledExecutorService timer() {
    return timer;
  }

  /** Adds a stream; it ends at once when the process stops. */
  public void add(EndableStream stream) {
    open.add(stream);
    if (closed) {
      stream.end();
    }
  }

  public void remove(EndableStream stream) {
    open.remove(stream);
  }

  /** Ends all streams, and those still to be requested; what they tell of goes on elsewhere. */
  @Override
  public void close() {
    closed = true;
    open.forEach(EndableStream::end);
    timer.shutdown();
  }
}
