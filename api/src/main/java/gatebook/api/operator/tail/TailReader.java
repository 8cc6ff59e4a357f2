package gatebook.api.operator.tail;

import gatebook.api.operator.methods.DroppedPart;
import gatebook.events.journal.Journal;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.JournalUnreadable;
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
 * One reader of the journal's tail, which takes each event at its own pace.
 *
 * <p>A thread reads a page, sends its events one by one on demand, and reads the next page. Nothing
 * else is buffered: what the reader has not taken is in the journal. The stream ends with the next
 * page or keep-alive, once the operator's token, session or roles are not the same any more.
 */
final class TailReader implements Publisher<byte[]>, Subscription {
  private static final Logger LOG = LoggerFactory.getLogger(TailReader.class);
  private static final int PAGE_EVENTS = 32;
  private static final Duration KEEP_ALIVE = Duration.ofSeconds(15);

  private final Journal journal;
  private final TailEvents events;
  private final Duration stalledMax;
  private final ReaderConnection readerConnection;
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
    STOPPED,
    /** The client closed the connection, or the server did. */
    DISCONNECTED
  }

  /** The permission, the slot and the connection of a reader. */
  interface ReaderConnection {
    /** Whether the operator has the token or session, and the roles, of the admission. */
    boolean isPermitted();

    /** Frees the slot: the reader has ended. */
    void release(TailReader reader);

    /** Closes the connection. */
    void disconnect();
  }

  /**
   * Creates a reader.
   *
   * @param position the position to start after
   * @param stalledMax how long the reader may take nothing while there are events for it
   */
  TailReader(
      Journal journal,
      TailEvents events,
      long position,
      Duration stalledMax,
      ReaderConnection readerConnection) {
    this.journal = journal;
    this.events = events;
    this.position = position;
    this.stalledMax = stalledMax;
    this.readerConnection = readerConnection;
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
    end(State.DISCONNECTED);
    readerConnection.release(this);
  }

  /** Ends the stream normally, because the node stops. */
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
      send(TailEvents.positionBlock(position, beginning()));
      while (isFollowing()) {
        sendPage();
      }
      complete();
    } catch (JournalUnreadable e) {
      LOG.warn("a tail reader is disconnected: the journal cannot be read", e);
      readerConnection.disconnect();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      readerConnection.disconnect();
    } catch (RuntimeException | Error e) {
      LOG.error("a tail reader failed and is disconnected", e);
      readerConnection.disconnect();
    } finally {
      unfollow.run();
      readerConnection.release(this);
    }
  }

  /** Says whether events after the reader's position were dropped. */
  private String beginning() {
    return journal
        .droppedThrough()
        .filter(dropped -> position < dropped.position())
        .map(dropped -> "following; " + DroppedPart.sentence(dropped.at()))
        .orElse("following");
  }

  private void sendPage() throws InterruptedException {
    change(() -> appended = false);
    List<Entry> page = journal.read(position, PAGE_EVENTS);
    if (!readerConnection.isPermitted()) {
      end(State.STOPPED); // when it connects again, it is authenticated again
      return;
    }
    for (Entry entry : page) {
      var wanted = events.block(entry);
      if (wanted.isPresent() && !send(wanted.get())) {
        return;
      }
      position = entry.position();
    }
    if (page.isEmpty()) {
      awaitMore();
    }
    if (System.nanoTime() - sentNanos >= KEEP_ALIVE.toNanos()) {
      send(TailEvents.positionBlock(position, "keep-alive"));
    }
  }

  /** Waits until events were appended or a keep-alive is due. */
  private void awaitMore() throws InterruptedException {
    lock.lock();
    try {
      long nanosLeft = KEEP_ALIVE.toNanos() - (System.nanoTime() - sentNanos);
      while (state == State.FOLLOWING && !appended && nanosLeft > 0) {
        nanosLeft = changed.awaitNanos(nanosLeft);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Sends a block on demand; false when the reader takes nothing more. */
  private boolean send(byte[] text) throws InterruptedException {
    if (!awaitDemand()) {
      return false;
    }
    Subscriber<? super byte[]> target = subscriber;
    if (target != null) {
      target.onNext(text);
    }
    sentNanos = System.nanoTime();
    return true;
  }

  private boolean awaitDemand() throws InterruptedException {
    lock.lock();
    try {
      long nanosLeft = stalledMax.toNanos();
      while (state == State.FOLLOWING && demand == 0 && nanosLeft > 0) {
        nanosLeft = changed.awaitNanos(nanosLeft);
      }
      if (state == State.FOLLOWING && demand > 0) {
        demand--;
        return true;
      }
    } finally {
      lock.unlock();
    }
    disconnectStalled();
    return false;
  }

  /** Disconnects the reader, unless it is ending anyway. */
  private void disconnectStalled() {
    if (isFollowing()) {
      LOG.atInfo()
          .addKeyValue("position", position)
          .addKeyValue("stalledMillisMax", TimeUnit.NANOSECONDS.toMillis(stalledMax.toNanos()))
          .log("a tail reader took no events for too long and is disconnected");
      end(State.DISCONNECTED);
      readerConnection.disconnect();
    }
  }

  /** Completes the stream, but not for a reader that has disconnected. */
  private void complete() {
    Subscriber<? super byte[]> target = subscriber;
    if (target != null && is(State.STOPPED)) {
      target.onComplete();
    }
  }

  private boolean isFollowing() {
    return is(State.FOLLOWING);
  }

  private boolean is(State expected) {
    lock.lock();
    try {
      return state == expected;
    } finally {
      lock.unlock();
    }
  }
}
