package gatebook.api.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.http.ClientExchange.EventSink;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * Publishes server-sent events to one reader, no faster than it reads them. Senders limit the
 * queue: each send completes when there is room for another event. A reader that reads nothing for
 * too long is disconnected.
 */
public final class SsePublisher implements Publisher<byte[]>, Subscription, EventSink {

  private static final long ROOM_BYTES = 64 << 10;

  private static final byte[] HEAD = {':', ' ', 'o', 'p', 'e', 'n', '\n', '\n'};
  private static final byte[] DATA = {'d', 'a', 't', 'a', ':', ' '};
  private static final int EVENT_BYTES = 32;
  private static final byte[] END = {};
  private static final long CHECK_MILLIS_LEAST = 10;

  /** How often an idle stream is checked until it is due for a comment. */
  private static final int CHECKS = 6;

  private final StreamKind kind;
  private final byte[] comment;
  private final Runnable hangUp;
  private final long stalledMillisMax;
  private final ScheduledFuture<?> watch;
  private final Deque<byte[]> queue = new ArrayDeque<>();
  private final List<CompletableFuture<Boolean>> senders = new ArrayList<>();
  private @Nullable Subscriber<? super byte[]> reader;
  private long queueBytes;
  private long demand;
  private boolean emitting;
  private boolean ended;
  private boolean closed;
  private long progressNanos = System.nanoTime();

  /**
   * A kind of stream.
   *
   * @param comment the text that keeps an idle connection open
   * @param keepAlive after how long without an event it is sent
   * @param queueBytesMax a reader for whom more is waiting is disconnected; one event always waits
   */
  public record StreamKind(
      String contentType, String comment, Duration keepAlive, long queueBytesMax) {

    /** Senders wait until there is room for an event. */
    public static StreamKind limitedBySenders(Duration keepAlive) {
      return new StreamKind(MediaType.TEXT_EVENT_STREAM, "", keepAlive, Long.MAX_VALUE);
    }
  }

  /**
   * A publisher of this kind, without a reader yet.
   *
   * @param hangUp closes the reader's connection
   */
  public SsePublisher(
      StreamKind kind, ScheduledExecutorService timer, long stalledMillisMax, Runnable hangUp) {
    this.kind = kind;
    this.comment = (":" + kind.comment + "\n\n").getBytes(UTF_8);
    this.hangUp = hangUp;
    this.stalledMillisMax = stalledMillisMax;
    long every =
        Math.max(
            CHECK_MILLIS_LEAST, Math.min(stalledMillisMax / 2, kind.keepAlive.toMillis() / CHECKS));
    this.watch = timer.scheduleWithFixedDelay(this::check, every, every, TimeUnit.MILLISECONDS);
  }

  /** The response that these events are. */
  public MutableHttpResponse<?> response() {
    return response(this, kind.contentType);
  }

  /** A response of events, which no proxy keeps back. */
  public static MutableHttpResponse<?> response(Publisher<byte[]> events, String contentType) {
    return HttpResponse.ok(events)
        .contentType(contentType)
        .header(HttpHeaders.CACHE_CONTROL, "no-store")
        .header("X-Accel-Buffering", "no");
  }

  /** An event with JSON. Clients read line by line; line ends are blanks in JSON. */
  public static byte[] event(String json) {
    return ("data: " + json.replace('\n', ' ').replace('\r', ' ') + "\n\n").getBytes(UTF_8);
  }

  /** An event of a type with JSON. */
  public static byte[] event(String type, String json) {
    return "event: %s\n%s".formatted(type, new String(event(json), UTF_8)).getBytes(UTF_8);
  }

  /** An event with data as it came; a line end within it starts another data line. */
  public static byte[] event(byte[] data) {
    ByteArrayOutputStream event = new ByteArrayOutputStream(data.length + EVENT_BYTES);
    event.writeBytes(DATA);
    for (byte one : data) {
      if (one == '\n') {
        event.write(one);
        event.writeBytes(DATA);
      } else if (one != '\r') {
        event.write(one);
      }
    }
    event.write('\n');
    event.write('\n');
    return event.toByteArray();
  }

  /** Sends the head of the response now; otherwise it would wait for the first event. */
  public void sendHead() {
    CompletableFuture<Boolean> _ = send(HEAD);
  }

  /**
   * Sends an event after those before it; completed when there is room for another, with whether
   * the reader is still connected.
   */
  @Override
  public CompletableFuture<Boolean> send(byte[] event) {
    if (!hasRoom(event)) {
      disconnect();
    }
    CompletableFuture<Boolean> sent = offer(event);
    drain();
    return sent;
  }

  private synchronized boolean hasRoom(byte[] event) {
    return ended || queue.isEmpty() || queueBytes + event.length <= kind.queueBytesMax;
  }

  private synchronized CompletableFuture<Boolean> offer(byte[] event) {
    if (closed || ended) {
      return CompletableFuture.completedFuture(false);
    }
    if (queue.isEmpty()) {
      progressNanos = System.nanoTime();
    }
    queue.add(event);
    queueBytes += event.length;
    if (queueBytes <= ROOM_BYTES) {
      return CompletableFuture.completedFuture(true);
    }
    CompletableFuture<Boolean> room = new CompletableFuture<>();
    senders.add(room);
    return room;
  }

  @Override
  public void end() {
    synchronized (this) {
      ended = true;
    }
    drain();
  }

  @Override
  public void subscribe(Subscriber<? super byte[]> newReader) {
    synchronized (this) {
      reader = newReader;
    }
    newReader.onSubscribe(this);
  }

  @Override
  public void request(long more) {
    synchronized (this) {
      demand = demand + more < 0 ? Long.MAX_VALUE : demand + more;
    }
    drain();
  }

  /** Drops all events: the reader is gone. */
  @Override
  public void cancel() {
    List<CompletableFuture<Boolean>> unsent;
    synchronized (this) {
      closed = true;
      queue.clear();
      unsent = new ArrayList<>(senders);
      senders.clear();
    }
    watch.cancel(false);
    unsent.forEach(sender -> sender.complete(false));
  }

  /** Delivers on one thread at a time, also when the reader requests more while it is called. */
  private void drain() {
    while (true) {
      Subscriber<? super byte[]> to;
      byte[] next;
      List<CompletableFuture<Boolean>> room;
      synchronized (this) {
        to = reader;
        if (emitting || closed || to == null) {
          return;
        }
        if (queue.isEmpty() && ended) {
          closed = true;
          next = END;
        } else if (demand > 0 && !queue.isEmpty()) {
          next = queue.remove();
          queueBytes -= next.length;
          demand--;
          progressNanos = System.nanoTime();
        } else {
          return;
        }
        emitting = true;
        room = roomNow();
      }
      deliver(to, next);
      room.forEach(sender -> sender.complete(true));
    }
  }

  private List<CompletableFuture<Boolean>> roomNow() {
    if (queueBytes > ROOM_BYTES) {
      return List.of();
    }
    List<CompletableFuture<Boolean>> all = new ArrayList<>(senders);
    senders.clear();
    return all;
  }

  private void deliver(Subscriber<? super byte[]> to, byte[] next) {
    if (next.length == 0) {
      watch.cancel(false);
      to.onComplete();
    } else {
      to.onNext(next);
    }
    synchronized (this) {
      emitting = false;
    }
  }

  /** Sends a comment on an idle stream, and disconnects a reader that has stalled. */
  private void check() {
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - progressNanos());
    boolean isIdle;
    synchronized (this) {
      isIdle = queue.isEmpty();
    }
    if (isIdle && millis >= kind.keepAlive.toMillis()) {
      CompletableFuture<Boolean> _ = send(comment);
    } else if (!isIdle && millis >= stalledMillisMax) {
      disconnect();
    }
  }

  private void disconnect() {
    cancel();
    hangUp.run();
  }

  private synchronized long progressNanos() {
    return progressNanos;
  }
}
