package gatebook.events.journal.axon;

import gatebook.events.journal.Journal;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.axonframework.messaging.core.MessageStream;
import org.axonframework.messaging.eventhandling.EventMessage;
import org.axonframework.messaging.eventstreaming.StreamingCondition;

/**
 * What happens from a position on, without end: from memory where a follower keeps up, from the
 * database where it is behind. It is told of new events and never asks.
 */
final class JournalMessageStream implements MessageStream<EventMessage> {
  private static final int PAGE = 1_000;

  private final Journal journal;
  private final PageMessages messages;
  private final Executor wakers;
  private final ArrayDeque<MessageStream.Entry<EventMessage>> ready = new ArrayDeque<>();
  private final Runnable unfollow;
  private final AtomicBoolean waking = new AtomicBoolean();
  private volatile Runnable callback = JournalMessageStream::nobody;
  private final long underWayMax;
  private volatile boolean closed;
  private volatile long handled;
  private volatile boolean full;
  private long after;

  /**
   * @param wakers runs the callback, once for all that happened since it was asked to
   * @param underWayMax how many events may be given out before the reader says that it has handled
   *     them
   */
  JournalMessageStream(
      Journal journal, long after, PageMessages messages, Executor wakers, long underWayMax) {
    this.journal = journal;
    this.after = after;
    this.messages = messages;
    this.wakers = wakers;
    this.underWayMax = underWayMax;
    this.handled = after;
    this.unfollow = journal.follow(this::wake);
  }

  static long after(StreamingCondition condition) {
    return Math.max(0, condition.position().position().orElse(0));
  }

  private void wake() {
    if (waking.compareAndSet(false, true)) {
      wakers.execute(() -> {
        waking.set(false);
        callback.run();
      });
    }
  }

  /** Calls back at once, on the calling thread. */
  void hurry() {
    callback.run();
  }

  void handled(long position) {
    handled = position;
    if (full) {
      full = false;
      wake();
    }
  }

  private boolean hasRoom() {
    boolean room = after - handled < underWayMax;
    full = !room;
    return room || after - handled < underWayMax; // it may have been made just now
  }

  private static void nobody() {
    // whoever reads without a callback asks again by himself
  }

  @Override
  public synchronized Optional<MessageStream.Entry<EventMessage>> next() {
    fill();
    return Optional.ofNullable(ready.poll());
  }

  @Override
  public synchronized Optional<MessageStream.Entry<EventMessage>> peek() {
    fill();
    return Optional.ofNullable(ready.peek());
  }

  @Override
  public synchronized boolean hasNextAvailable() {
    fill();
    return !ready.isEmpty();
  }

  private void fill() {
    while (ready.isEmpty() && !closed && after < journal.head() && hasRoom()) {
      var page = journal.read(after, PAGE);
      if (page.isEmpty()) {
        return; // rows that the head promises are missing: the start check has said so
      }
      after = page.getLast().position();
      ready.addAll(messages.of(page));
    }
  }

  @Override
  public void setCallback(Runnable newCallback) {
    callback = newCallback;
    if (hasNextAvailable()) {
      newCallback.run();
    }
  }

  @Override
  public Optional<Throwable> error() {
    return Optional.empty();
  }

  @Override
  public boolean isCompleted() {
    return closed;
  }

  @Override
  public void close() {
    closed = true;
    unfollow.run();
  }
}
