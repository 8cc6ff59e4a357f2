package gatebook.api.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.gateway.message.CallerConnection;
import gatebook.api.gateway.message.ClientChannel;
import gatebook.api.gateway.message.Reply;
import gatebook.api.http.SsePublisher.StreamKind;
import gatebook.api.rpc.ObjectMembers;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One exchange of a client: a request and its response. The response is a single answer, or a
 * stream that opens with the first event that is sent, before the answer or with it.
 *
 * <p>A stream ends early when its reader disconnects, unless it goes on without its reader. When
 * the process stops it ends with the answer, or at once if it goes on after that.
 */
public abstract class ClientExchange implements ClientChannel {
  private static final CallerConnection.Watch UNWATCHED = () -> {};

  private final OpenStreams streams;
  private final CallerConnection connection;
  private final CompletableFuture<SsePublisher> openedEarly = new CompletableFuture<>();
  private @Nullable SsePublisher publisher;
  private @Nullable EventSink sink;
  private CallerConnection.Watch watch = UNWATCHED;
  private @Nullable ScheduledFuture<?> timer;
  private boolean answered;
  private boolean ended;

  /** Receives the events of a stream. */
  public interface EventSink {

    /** Sends an event; completed when there is room for another, with whether it has a reader. */
    CompletableFuture<Boolean> send(byte[] event);

    /** Ends the stream after the events sent so far. */
    void end();
  }

  protected ClientExchange(OpenStreams streams, CallerConnection connection) {
    this.streams = streams;
    this.connection = connection;
  }

  /** The connection whose loss means that the client is gone. */
  public CallerConnection connection() {
    return connection;
  }

  /** Completes when the stream is opened before the answer. */
  public final CompletableFuture<SsePublisher> openedEarly() {
    return openedEarly;
  }

  /** Answers the request; the result is the stream of the response, which is empty for none. */
  public final Optional<SsePublisher> answer(Reply reply) {
    Optional<SsePublisher> stream = respond(reply);
    synchronized (this) {
      answered = true;
    }
    if (streams.areEnding()) {
      endIfAnswered();
    }
    return stream;
  }

  /** Sends the answer; the result is the stream of the response, which is empty for none. */
  protected abstract Optional<SsePublisher> respond(Reply reply);

  /** The headers of the response, besides those of every response. */
  public Map<String, String> headers() {
    return Map.of();
  }

  protected abstract StreamKind kind();

  /** Receives the events for a client that reads them there. */
  protected EventSink sink(SsePublisher reader) {
    return reader;
  }

  /** Whether the stream ends only with its answer. */
  protected boolean goesOnWithoutReader() {
    return false;
  }

  /** Runs when the stream ends. */
  protected void onEnd() {}

  /** Opens the stream if nothing is sent for a while, so that the connection is kept open. */
  protected final void openWhenSilent() {
    after(kind().keepAlive().toMillis(), this::openWithHead);
  }

  private void openWithHead() {
    synchronized (this) {
      if (!ended && publisher == null) {
        open().sendHead();
        endWithReader();
      }
    }
    announce();
  }

  private void announce() {
    stream().ifPresent(openedEarly::complete);
  }

  /** Runs an action later, unless the stream opens or ends before. */
  protected final synchronized void after(long millis, Runnable action) {
    if (!ended) {
      timer = streams.timer().schedule(action, millis, TimeUnit.MILLISECONDS);
    }
  }

  private void stopTimer() {
    if (timer != null) {
      timer.cancel(false);
      timer = null;
    }
  }

  /** The text of an answer; absent when the client is gone, or has all of it. */
  protected static @Nullable String text(Reply reply) {
    byte[] body = reply.body();
    return body == null ? null : new String(body, UTF_8);
  }

  /** Whether an answer tells a result, and not an error. */
  protected static boolean isResult(String answer) {
    return ObjectMembers.of(answer).json("result").isPresent();
  }

  /** Sends an event before the answer. */
  protected final CompletableFuture<Boolean> sendEarly(byte[] event) {
    CompletableFuture<Boolean> sent = send(event);
    announce();
    return sent;
  }

  /** Sends an event, which opens the stream; completed as by the sink, with false after the end. */
  protected final synchronized CompletableFuture<Boolean> send(byte[] event) {
    if (ended) {
      return CompletableFuture.completedFuture(false);
    }
    if (sink != null) {
      return sink.send(event);
    }
    SsePublisher _ = open();
    CompletableFuture<Boolean> sent = Objects.requireNonNull(sink, "opened").send(event);
    endWithReader();
    return sent;
  }

  private SsePublisher open() {
    stopTimer();
    SsePublisher opened = streams.publisher(kind(), connection);
    publisher = opened;
    sink = sink(opened);
    return opened;
  }

  private void endWithReader() {
    if (!goesOnWithoutReader()) {
      streams.add(this);
      watch = connection.onDisconnect(_ -> drop());
      if (ended) {
        watch.end();
      }
    }
  }

  protected final synchronized boolean isOpen() {
    return publisher != null;
  }

  protected final synchronized boolean hasEnded() {
    return ended;
  }

  /** The stream; empty when it is not open. */
  protected final synchronized Optional<SsePublisher> stream() {
    return Optional.ofNullable(publisher);
  }

  /** Ends a stream that goes on after its answer. */
  final synchronized void endIfAnswered() {
    if (answered && !goesOnWithoutReader()) {
      end();
    }
  }

  /** Ends the exchange, and its stream after the events sent so far. */
  public final synchronized void end() {
    if (ended) {
      return;
    }
    ended = true;
    stopTimer();
    if (sink != null) {
      streams.remove(this);
      watch.end();
      onEnd();
      sink.end();
    }
  }

  /** Ends the exchange without the events that are not read yet: they have no reader. */
  protected final synchronized void drop() {
    end();
    if (publisher != null) {
      publisher.cancel();
    }
  }
}
