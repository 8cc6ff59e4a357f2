package gatebook.api.mcp;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.http.ClientExchange.EventSink;
import gatebook.api.http.SsePublisher;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A stream of events to a client that can be resumed after the connection was lost. Each event has
 * an id with its position, and a limited number of the last events is kept.
 */
final class ResumableStream implements EventSink {

  /** An event without data, which only gives the client an id to resume from. */
  static final byte[] POSITION = SsePublisher.event(new byte[0]);

  private static final int KEPT_EVENTS_MAX = 256;
  private static final long KEPT_BYTES_MAX = 256 << 10;

  private final String name;
  private final Deque<Sent> kept = new ArrayDeque<>();
  private long keptBytes;
  private long next;
  private boolean ended;
  private @Nullable SsePublisher reader;
  private long unreadNanos = System.nanoTime();

  @SuppressWarnings("ArrayRecordComponent") // written once and never compared
  private record Sent(long position, byte[] event) {}

  /** {@code name} is unique among the streams of the session. */
  ResumableStream(String name) {
    this.name = name;
  }

  /** Keeps an event with its position, and sends it if there is a reader. */
  @Override
  public CompletableFuture<Boolean> send(byte[] event) {
    SsePublisher publisher;
    byte[] withId;
    synchronized (this) {
      withId = withId(event);
      keep(new Sent(next++, withId));
      publisher = reader;
    }
    return publisher == null ? CompletableFuture.completedFuture(true) : publisher.send(withId);
  }

  private byte[] withId(byte[] event) {
    byte[] id = "id: %s-%d\n".formatted(name, next).getBytes(UTF_8);
    byte[] withId = Arrays.copyOf(id, id.length + event.length);
    System.arraycopy(event, 0, withId, id.length, event.length);
    return withId;
  }

  /** Closes the connection of the reader and tells it when to reconnect. */
  void pause(long retryMillis) {
    SsePublisher publisher;
    synchronized (this) {
      publisher = reader;
      reader = null;
      unreadNanos = System.nanoTime();
    }
    if (publisher != null) {
      CompletableFuture<Boolean> _ =
          publisher.send("retry: %d\n\n".formatted(retryMillis).getBytes(UTF_8));
      publisher.end();
    }
  }

  /** Ends the stream; a reader that reconnects still gets the events it missed. */
  @Override
  public void end() {
    SsePublisher publisher;
    synchronized (this) {
      ended = true;
      publisher = reader;
      reader = null;
    }
    if (publisher != null) {
      publisher.end();
    }
  }

  /**
   * Continues with another reader after the given position, and disconnects the one before. False,
   * without any effect, when nothing more follows that position.
   */
  boolean attachReader(SsePublisher newReader, long after) {
    SsePublisher previous;
    boolean isOver;
    synchronized (this) {
      if (ended && after >= next - 1) {
        return false;
      }
      previous = reader;
      isOver = ended;
      for (Sent sent : kept) {
        if (sent.position > after) {
          CompletableFuture<Boolean> _ = newReader.send(sent.event);
        }
      }
      reader = ended ? null : newReader;
    }
    if (previous != null) {
      previous.end();
    }
    if (isOver) {
      newReader.end();
    }
    return true;
  }

  /** The position in an event id of this stream; -1 for any other id. */
  long positionOf(String id) {
    String number = id.startsWith(name + "-") ? id.substring(name.length() + 1) : "";
    return number.matches("[0-9]{1,18}") ? Long.parseLong(number) : -1;
  }

  /** Detaches the reader, unless another one was attached since. */
  synchronized void detachReader(SsePublisher oldReader) {
    if (reader == oldReader) {
      reader = null;
      unreadNanos = System.nanoTime();
    }
  }

  synchronized boolean isRead() {
    return reader != null;
  }

  String name() {
    return name;
  }

  /** The position of the last event. */
  synchronized long lastPosition() {
    return next - 1;
  }

  /** How long the stream has had no reader; -1 when it has one. */
  synchronized long unreadMillis() {
    return reader == null ? TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - unreadNanos) : -1;
  }

  /** Whether an event was sent, so that the client can resume the stream. */
  synchronized boolean hasPosition() {
    return next > 0;
  }

  private void keep(Sent sent) {
    kept.add(sent);
    keptBytes += sent.event.length;
    while (kept.size() > KEPT_EVENTS_MAX || (keptBytes > KEPT_BYTES_MAX && kept.size() > 1)) {
      keptBytes -= kept.remove().event.length;
    }
  }
}
