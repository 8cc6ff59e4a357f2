package gatebook.api.operator;

import gatebook.events.journal.Entry;
import gatebook.events.journal.Journal;
import gatebook.events.journal.JournalUnreadable;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One who follows the journal, each event as he takes it.
 *
 * <p>A thread of his own reads a page, hands its events over one by one as they are asked for, and
 * reads the next. Nothing else is kept for him: whatever he has not taken is in the journal.
 */
final class TailReader implements Publisher<byte[]>, Subscription {
  private static final Logger LOG = LoggerFactory.getLogger(TailReader.class);
  private static final int PAGE_EVENTS = 32;
  private static final Duration KEEP_ALIVE = Duration.ofSeconds(15);

  private final Journal journal;
  private final TailEvents events;
  private final Duration stalledMax;
  private final Leaving leaving;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private @Nullable Subscriber<? super byte[]> subscriber;
  private long demand;
  private boolean appended;
  private State state = State.FOLLOWING;
  private long position;
  private long sentNanos;

  private enum State {
    FOLLOWING,
    /** The node stops. */
    STOPPED,
    /** He went, or was sent away. */
    GONE
  }

  /** What happens to the place and the connection of a reader. */
  interface Leaving {
    /** He is no more. */
    void left(TailReader reader);

    /** He is to go. */
    void hangUp();
  }

  /**
   * A reader.
   *
   * @param position after which he begins
   * @param stalledMax how long he may take nothing of what there is
   */
  TailReader(
      Journal journal, TailEvents events, long position, Duration stalledMax, Leaving leaving) {
    this.journal = journal;
    this.events = events;
    this.position = position;
    this.stalledMax = stalledMax;
    this.leaving = leaving;
  }

  @Override
  public void subscribe(Subscriber<? super byte[]> newSubscriber) {
    subscriber = newSubscriber;
    newSubscriber.onSubscribe(this);
    Thread.ofVirtual().name("tail").start(this::follow);
  }

  @Override
  public void request(long more) {
    change(() -> demand = demand + more < 0 ? Long.MAX_VALUE : demand + more);
  }

  @Override
  public void cancel() {
    end(State.GONE);
    leaving.left(this);
  }

  /** The node stops: he is told no more. */
  void stop() {
    end(State.STOPPED);
  }

  private void end(State how) {
    change(() -> state = state == State.FOLLOWING ? how : state);
  }

  private void change(Runnable change) {
    lock.lock();
    try {
      change.run();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void follow() {
    Runnable unfollow = journal.follow(() -> change(() -> appended = true));
    try {
      hand(TailEvents.position(position, "following"));
      while (isFollowing()) {
        step();
      }
      complete();
    } catch (JournalUnreadable e) {
      LOG.warn("who follows the journal is sent away: it cannot be read", e);
      leaving.hangUp();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      leaving.hangUp();
    } catch (RuntimeException e) {
      LOG.error("following the journal for an operator failed", e);
      leaving.hangUp();
    } finally {
      unfollow.run();
      leaving.left(this);
    }
  }

  private void step() throws InterruptedException {
    change(() -> appended = false);
    List<Entry> page = journal.read(position, PAGE_EVENTS);
    for (Entry entry : page) {
      var wanted = events.of(entry);
      if (wanted.isPresent() && !hand(wanted.get())) {
        return;
      }
      position = entry.position();
    }
    if (page.isEmpty()) {
      awaitMore();
    }
    if (System.nanoTime() - sentNanos >= KEEP_ALIVE.toNanos()) {
      hand(TailEvents.position(position, "keep-alive"));
    }
  }

  /** Until there may be more, or something must be said to keep the connection. */
  private void awaitMore() throws InterruptedException {
    lock.lock();
    try {
      long left = KEEP_ALIVE.toNanos() - (System.nanoTime() - sentNanos);
      while (state == State.FOLLOWING && !appended && left > 0) {
        left = changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  /** False when he takes no more. */
  private boolean hand(byte[] text) throws InterruptedException {
    if (!isAskedFor()) {
      return false;
    }
    Subscriber<? super byte[]> to = subscriber;
    if (to != null) {
      to.onNext(text);
    }
    sentNanos = System.nanoTime();
    return true;
  }

  private boolean isAskedFor() throws InterruptedException {
    lock.lock();
    try {
      long left = stalledMax.toNanos();
      while (state == State.FOLLOWING && demand == 0 && left > 0) {
        left = changed.awaitNanos(left);
      }
      if (state == State.FOLLOWING && demand > 0) {
        demand--;
        return true;
      }
    } finally {
      lock.unlock();
    }
    sendAway();
    return false;
  }

  /** Unless he is going anyway. */
  private void sendAway() {
    if (isFollowing()) {
      LOG.atInfo()
          .addKeyValue("position", position)
          .addKeyValue("stalledMillisMax", TimeUnit.NANOSECONDS.toMillis(stalledMax.toNanos()))
          .log("an operator who follows the journal took nothing for too long and is sent away");
      end(State.GONE);
      leaving.hangUp();
    }
  }

  /** Not for one who went. */
  private void complete() {
    Subscriber<? super byte[]> to = subscriber;
    if (to != null && is(State.STOPPED)) {
      to.onComplete();
    }
  }

  private boolean isFollowing() {
    return is(State.FOLLOWING);
  }

  private boolean is(State asked) {
    lock.lock();
    try {
      return state == asked;
    } finally {
      lock.unlock();
    }
  }
}
