package gatebook.api.flow;

import gatebook.api.http.SsePublisher.StreamKind;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;

/** The open streams of progress of this process. */
public final class FlowStreams implements AutoCloseable {

  /** Clients expect this comment. What waits for a slow one are the events of a large tree. */
  public static final StreamKind KIND =
      new StreamKind(" keepalive", Duration.ofSeconds(30), 4 << 20);

  private final Set<FlowExchange> open = ConcurrentHashMap.newKeySet();
  private final ScheduledThreadPoolExecutor timer =
      new ScheduledThreadPoolExecutor(
          1,
          Thread.ofPlatform().name("flow-streams").daemon().factory(),
          // a stream that opens while the process stops has ended already
          new ThreadPoolExecutor.DiscardPolicy());
  private volatile boolean closed;

  public FlowStreams() {
    timer.setRemoveOnCancelPolicy(true); // most streams end long before their time
  }

  public ScheduledExecutorService timer() {
    return timer;
  }

  /** Adds a stream; it ends at once when the process stops. */
  void add(FlowExchange flowExchange) {
    open.add(flowExchange);
    if (closed) {
      flowExchange.end();
    }
  }

  void remove(FlowExchange flowExchange) {
    open.remove(flowExchange);
  }

  /** Ends all streams, and those still to be requested; their executions go on elsewhere. */
  @Override
  public void close() {
    closed = true;
    open.forEach(FlowExchange::end);
    timer.shutdown();
  }
}
