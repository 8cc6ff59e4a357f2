package gatebook.api.http;

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
 * A stream of server-sent events to one reader, no faster than he takes them. What is waiting for
 * him is bounded by those who send: they hear when there is room. A reader who takes nothing for
 * too long is sent away.
 */
public final class SsePublisher implements Publisher<byte[]>, Subscription {

  private static final long ROOM_BYTES = 64 << 10;

  /** After how long without anything to say something is said, so that connections are kept. */
  public static final Duration KEEP_ALIVE = Duration.ofSeconds(15);

  private static final byte[] COMMENT = {':', '\n', '\n'};
  private static final byte[] NOTHING = {};

  private final Runnable hangUp;
  private final long stalledMillisMax;
  private final ScheduledFuture<?> watch;
  private final Deque<byte[]> waiting = new ArrayDeque<>();
  private final List<CompletableFuture<Boolean>> senders = new ArrayList<>();
  private @Nullable Subscriber<? super byte[]> reader;
  private long waitingBytes;
  private long demand;
  private boolean emitting;
  private boolean ended;
  private boolean over;
  private long takenNanos = System.nanoTime();

  /**
   * Nobody reads it yet.
   *
   * @param hangUp closes the reader's connection
   */
  public SsePublisher(ScheduledExecutorService timer, long stalledMillisMax, Runnable hangUp) {
    this.hangUp = hangUp;
    this.stalledMillisMax = stalledMillisMax;
    long every = Math.clamp(stalledMillisMax / 2, 10, KEEP_ALIVE.toMillis());
    this.watch = timer.scheduleWithFixedDelay(this::look, every, every, TimeUnit.MILLISECONDS);
  }

  /** Has the head of the answer go out now; otherwise it would wait for the first event. */
  public void begin() {
    CompletableFuture<Boolean> _ = send(COMMENT);
  }

  /**
   * Sends an event after those before it; completed when there is room for another, with whether
   * the reader is still there.
   */
  public CompletableFuture<Boolean> send(byte[] event) {
    CompletableFuture<Boolean> sent = offered(event);
    drain();
    return sent;
  }

  private synchronized CompletableFuture<Boolean> offered(byte[] event) {
    if (over || ended) {
      return CompletableFuture.completedFuture(false);
    }
    if (waiting.isEmpty()) {
      takenNanos = System.nanoTime();
    }
    waiting.add(event);
    waitingBytes += event.length;
    if (waitingBytes <= ROOM_BYTES) {
      return CompletableFuture.completedFuture(true);
    }
    CompletableFuture<Boolean> room = new CompletableFuture<>();
    senders.add(room);
    return room;
  }

  /** Nothing comes after what was sent. */
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

  /** He is gone. */
  @Override
  public void cancel() {
    List<CompletableFuture<Boolean>> none;
    synchronized (this) {
      over = true;
      waiting.clear();
      none = new ArrayList<>(senders);
      senders.clear();
    }
    watch.cancel(false);
    none.forEach(sender -> sender.complete(false));
  }

  /** One thread at a time hands over, also when being handed something makes the reader ask. */
  private void drain() {
    while (true) {
      Subscriber<? super byte[]> to;
      byte[] next;
      List<CompletableFuture<Boolean>> room;
      synchronized (this) {
        to = reader;
        if (emitting || over || to == null) {
          return;
        }
        if (waiting.isEmpty() && ended) {
          over = true;
          next = NOTHING;
        } else if (demand > 0 && !waiting.isEmpty()) {
          next = waiting.remove();
          waitingBytes -= next.length;
          demand--;
          takenNanos = System.nanoTime();
        } else {
          return;
        }
        emitting = true;
        room = roomNow();
      }
      hand(to, next);
      room.forEach(sender -> sender.complete(true));
    }
  }

  private List<CompletableFuture<Boolean>> roomNow() {
    if (waitingBytes > ROOM_BYTES) {
      return List.of();
    }
    List<CompletableFuture<Boolean>> all = new ArrayList<>(senders);
    senders.clear();
    return all;
  }

  private void hand(Subscriber<? super byte[]> to, byte[] next) {
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

  /** Says something when there was nothing to say, and sends him away when he does not listen. */
  private void look() {
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - takenNanos());
    boolean nothing;
    synchronized (this) {
      nothing = waiting.isEmpty();
    }
    if (nothing && millis >= KEEP_ALIVE.toMillis()) {
      CompletableFuture<Boolean> _ = send(COMMENT);
    } else if (!nothing && millis >= stalledMillisMax) {
      cancel();
      hangUp.run();
    }
  }

  private synchronized long takenNanos() {
    return takenNanos;
  }
}
