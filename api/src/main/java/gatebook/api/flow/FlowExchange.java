package gatebook.api.flow;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.flow.task.ExecutionFact;
import gatebook.api.flow.task.ExecutionListener;
import gatebook.api.gateway.message.CallerConnection;
import gatebook.api.gateway.message.ClientChannel;
import gatebook.api.http.OpenStreams;
import gatebook.api.http.OpenStreams.EndableStream;
import gatebook.api.http.SsePublisher;
import gatebook.api.http.SsePublisher.StreamKind;
import gatebook.api.rpc.ObjectMembers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One exchange of a client of the task-flow protocol: a request and its response. The response is a
 * single answer, or a stream of events that begins with the answer and tells the progress of an
 * execution. Facts that come before the answer is recorded are queued until it is.
 *
 * <p>A stream that ends early has no final event. The execution goes on without it.
 */
public final class FlowExchange implements ClientChannel, EndableStream {
  private static final Logger LOG = LoggerFactory.getLogger(FlowExchange.class);

  /** Clients expect this comment. The queue for a slow client holds the events of a large tree. */
  public static final StreamKind KIND =
      new StreamKind(" keepalive", Duration.ofSeconds(30), 4 << 20);

  /** The most facts that are queued before the response; beyond them the stream ends with it. */
  static final long WAITING_BYTES_MAX = 2 << 20;

  private final FlowClient client;
  private final List<byte[]> waiting = new ArrayList<>();
  private long waitingBytes;
  private @Nullable ProgressEvents events;
  private @Nullable SsePublisher publisher;
  private Runnable release = () -> {};
  private boolean ended;

  /**
   * The client of an exchange, and the ways to reach it.
   *
   * @param publishers open a stream to it
   * @param streamMax how long the stream lasts at most
   */
  public record FlowClient(
      CallerConnection connection,
      Supplier<SsePublisher> publishers,
      Duration streamMax,
      OpenStreams streams) {}

  public FlowExchange(FlowClient client) {
    this.client = client;
  }

  /**
   * Makes the response a stream, unless the request is refused.
   *
   * @param taskId the root, or the task that is named
   * @return receives the facts of the execution
   */
  ExecutionListener stream(String taskId, InstantSource clock) {
    synchronized (this) {
      events = new ProgressEvents(taskId, clock);
    }
    client.streams.add(this);
    return this::tell;
  }

  /** A failure to send must not fail the execution. */
  private void tell(ExecutionFact fact, double share) {
    try {
      send(it -> it.of(fact, share));
    } catch (RuntimeException e) {
      LOG.atWarn().setCause(e).log("a stream of progress ends: an event could not be sent");
      cancel();
    }
  }

  private synchronized void send(Function<ProgressEvents, List<String>> newEvents) {
    if (ended || events == null) {
      return;
    }
    for (String event : newEvents.apply(events)) {
      add(SsePublisher.event(event));
    }
    if (events.haveEnded()) {
      end();
    }
  }

  private void add(byte[] event) {
    if (publisher != null) {
      CompletableFuture<Boolean> _ = publisher.send(event);
    } else if (waitingBytes + event.length > WAITING_BYTES_MAX) {
      end();
    } else if (!ended) {
      waiting.add(event);
      waitingBytes += event.length;
    }
  }

  /**
   * Opens the stream, which begins with the response; empty when the response is no stream.
   *
   * @param response absent when the caller is gone
   */
  public synchronized Optional<SsePublisher> open(byte @Nullable [] response) {
    String json = response == null ? "" : new String(response, UTF_8);
    if (events == null || ObjectMembers.of(json).json("result").isEmpty()) {
      cancel();
      return Optional.empty();
    }
    SsePublisher opened = client.publishers.get();
    publisher = opened;
    add(SsePublisher.event(json));
    waiting.forEach(this::add);
    waiting.clear();
    if (ended) {
      opened.end();
    } else {
      watch();
    }
    return Optional.of(opened);
  }

  /** Ends the stream when its time is over, or its reader disconnects. */
  private void watch() {
    ScheduledFuture<?> timeout =
        client
            .streams
            .timer()
            .schedule(
                () -> send(ProgressEvents::timeout),
                client.streamMax.toMillis(),
                TimeUnit.MILLISECONDS);
    CallerConnection.Watch watch = client.connection.onDisconnect(_ -> cancel());
    release =
        () -> {
          timeout.cancel(false);
          watch.end();
        };
    if (ended) {
      release.run();
    }
  }

  @Override
  public synchronized void end() {
    if (!ended) {
      ended = true;
      release.run();
      client.streams.remove(this);
      if (publisher != null) {
        publisher.end();
      }
    }
  }

  /** Drops all events: nobody reads them. */
  private synchronized void cancel() {
    end();
    waiting.clear();
    if (publisher != null) {
      publisher.cancel();
    }
  }
}
