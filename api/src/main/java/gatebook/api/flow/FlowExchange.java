package gatebook.api.flow;

import gatebook.api.flow.task.ExecutionFact;
import gatebook.api.flow.task.ExecutionListener;
import gatebook.api.gateway.message.CallerConnection;
import gatebook.api.gateway.message.Reply;
import gatebook.api.http.ClientExchange;
import gatebook.api.http.OpenStreams;
import gatebook.api.http.SsePublisher;
import gatebook.api.http.SsePublisher.StreamKind;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
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
public final class FlowExchange extends ClientExchange {
  private static final Logger LOG = LoggerFactory.getLogger(FlowExchange.class);

  /**
   * Clients compare with this content type, and expect this comment. The queue for a slow client
   * holds the events of a large tree.
   */
  static final StreamKind KIND =
      new StreamKind(
          "text/event-stream; charset=utf-8", " keepalive", Duration.ofSeconds(30), 4 << 20);

  /** The most facts that are queued before the response; beyond them the stream ends with it. */
  static final long WAITING_BYTES_MAX = 2 << 20;

  private final Duration streamMax;
  private final List<byte[]> waiting = new ArrayList<>();
  private long waitingBytes;
  private @Nullable ProgressEvents events;
  private boolean isOver;

  /** {@code streamMax} is how long the stream lasts at most. */
  public FlowExchange(OpenStreams streams, CallerConnection connection, Duration streamMax) {
    super(streams, connection);
    this.streamMax = streamMax;
  }

  @Override
  protected StreamKind kind() {
    return KIND;
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
    return this::tell;
  }

  /** A failure to send must not fail the execution. */
  private void tell(ExecutionFact fact, double share) {
    try {
      tell(it -> it.of(fact, share));
    } catch (RuntimeException e) {
      LOG.atWarn().setCause(e).log("a stream of progress ends: an event could not be sent");
      drop();
    }
  }

  private synchronized void tell(Function<ProgressEvents, List<String>> newEvents) {
    if (isOver || hasEnded() || events == null) {
      return;
    }
    for (String event : newEvents.apply(events)) {
      add(SsePublisher.event(event));
    }
    isOver |= events.haveEnded();
    if (isOver && isOpen()) {
      end();
    }
  }

  private void add(byte[] event) {
    if (isOpen()) {
      CompletableFuture<Boolean> _ = send(event);
    } else if (waitingBytes + event.length > WAITING_BYTES_MAX) {
      isOver = true;
    } else if (!isOver) {
      waiting.add(event);
      waitingBytes += event.length;
    }
  }

  /** The stream begins with the answer. */
  @Override
  protected synchronized Optional<SsePublisher> respond(Reply reply) {
    String json = events == null ? null : text(reply);
    if (json == null || !isResult(json)) {
      end();
    } else {
      CompletableFuture<Boolean> _ = send(SsePublisher.event(json));
      waiting.forEach(this::add);
      if (isOver) {
        end();
      } else {
        after(streamMax.toMillis(), () -> tell(ProgressEvents::timeout));
      }
    }
    waiting.clear();
    return stream();
  }
}
