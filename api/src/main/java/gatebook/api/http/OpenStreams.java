package gatebook.api.http;

import gatebook.api.gateway.message.CallerConnection;
import gatebook.api.http.SsePublisher.StreamKind;
import gatebook.command.rules.Limit;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;

/** The open streams to callers, with the timer of their keep-alive comments. */
@Singleton
public final class OpenStreams implements LongLived {
  private final Set<ClientExchange> open = ConcurrentHashMap.newKeySet();
  private final ScheduledExecutorService timer;
  private final CurrentLimits limits;
  private volatile boolean ending;

  @Inject
  public OpenStreams(CurrentLimits limits) {
    this(newTimer(), limits);
  }

  public OpenStreams(ScheduledExecutorService timer, CurrentLimits limits) {
    this.timer = timer;
    this.limits = limits;
  }

  private static ScheduledThreadPoolExecutor newTimer() {
    ScheduledThreadPoolExecutor timer =
        new ScheduledThreadPoolExecutor(
            1,
            Thread.ofPlatform().name("streams").daemon().factory(),
            // a stream that opens while the process stops has ended already
            new ThreadPoolExecutor.DiscardPolicy());
    timer.setRemoveOnCancelPolicy(true); // most streams end long before their time
    return timer;
  }

  public ScheduledExecutorService timer() {
    return timer;
  }

  /** A publisher of events to the client at this connection. */
  public SsePublisher publisher(StreamKind kind, CallerConnection connection) {
    return new SsePublisher(
        kind, timer, limits.now().get(Limit.STREAM_STALLED_MILLIS_MAX), connection::close);
  }

  void add(ClientExchange stream) {
    open.add(stream);
  }

  void remove(ClientExchange stream) {
    open.remove(stream);
  }

  /** Whether no stream goes on after its answer, because the process stops. */
  boolean areEnding() {
    return ending;
  }

  /** What the streams tell of after their answers goes on elsewhere. */
  @Override
  public void endStreams() {
    ending = true;
    open.forEach(ClientExchange::endIfAnswered);
  }

  /** Ends the keep-alive comments. */
  @PreDestroy
  public void close() {
    timer.shutdown();
  }
}
