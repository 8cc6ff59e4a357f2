package gatebook.query.projection;

import gatebook.events.journal.Journal;
import gatebook.events.journal.storage.Entry;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/**
 * The next pages of the journal, read on one thread while another takes them. It is bounded: a
 * follower that is far behind must not fill the memory.
 */
final class PageBuffer {
  private static final int PAGE_EVENTS_MAX = 1_000;

  /** About so many bytes a page has: half of what the journal's tail holds in memory. */
  private static final long PAGE_BYTES = 1L << 20;

  private static final int PAGES_MAX = 7;

  /**
   * How long new events are gathered, so that a busy journal causes few transactions. A waiting
   * reader ends it early.
   */
  private static final long GATHER_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** How long they are gathered in all when at least so many have come by then. */
  private static final long GATHER_NANOS_OF_BUSY = TimeUnit.MILLISECONDS.toNanos(100);

  private static final long BUSY_EVENTS = 20;

  private final Journal journal;
  private final Runnable stopFollowing;
  private final ReentrantLock lock = new ReentrantLock();

  /** Signalled to the reader: there are new events, or there is room. */
  private final Condition needed = lock.newCondition();

  /** Signalled to the writer, which sleeps while events are gathered. */
  private final Condition filled = lock.newCondition();

  /** Signalled when gathering ends early; new events do not. */
  private final Condition urgent = lock.newCondition();

  private final ArrayDeque<List<Entry>> pages = new ArrayDeque<>();

  /** The most events of the next page. */
  private int pageEvents = PAGE_EVENTS_MAX;

  /** The position that the next page begins after. */
  private long after;

  /** Events up to here are not gathered, because a reader waits for them. */
  private long awaited;

  /** Counts the restarts: a page that was read before one is dropped. */
  private int restarts;

  private boolean isClosed;

  PageBuffer(Journal journal) {
    this.journal = journal;
    this.stopFollowing = journal.follow(this::signal);
  }

  private void signal() {
    lock.lock();
    try {
      needed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Drops the pages, and continues after a position. */
  void restart(long position) {
    lock.lock();
    try {
      pages.clear();
      after = position;
      restarts++;
      needed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits until there are events to read, and room for them. Returns false when it is closed. */
  boolean awaitNeeded() {
    lock.lock();
    try {
      while (!isClosed && (pages.size() >= PAGES_MAX || journal.head() <= after)) {
        needed.awaitUninterruptibly();
      }
      await(GATHER_NANOS, this::isGathering);
      await(moreNanos(journal.head() - after), this::isGathering);
      return !isClosed;
    } finally {
      lock.unlock();
    }
  }

  /** How much longer events are gathered when so many have come at first. */
  static long moreNanos(long events) {
    return events < BUSY_EVENTS ? 0 : GATHER_NANOS_OF_BUSY - GATHER_NANOS;
  }

  private boolean isGathering() {
    return after >= awaited && journal.head() - after < pageEvents;
  }

  /** Waits so long, or until it is closed or has no reason to wait any more. */
  private void await(long nanos, BooleanSupplier hasReason) {
    try {
      long left = nanos;
      while (!isClosed && hasReason.getAsBoolean() && left > 0) {
        left = urgent.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("nothing interrupts a follower", e);
    }
  }

  /** Reads the next page. Returns false when the storage has none, though it should. */
  boolean fill(UnaryOperator<Entry> preparation) {
    long from;
    int begun;
    int events;
    lock.lock();
    try {
      from = after;
      events = pageEvents;
      begun = restarts;
    } finally {
      lock.unlock();
    }
    List<Entry> page = journal.read(from, events).stream().map(preparation).toList();
    lock.lock();
    try {
      if (begun == restarts && !page.isEmpty()) {
        pages.add(page);
        pageEvents = eventsAfter(page);
        after = page.getLast().position();
        filled.signalAll();
      }
      return !page.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /** The most events of the page after one: as many of its size as a page has bytes for. */
  private static int eventsAfter(List<Entry> page) {
    long bytes = page.stream().mapToLong(it -> it.payload().length + it.metadata().length).sum();
    return Math.clamp(PAGE_BYTES * page.size() / Math.max(1, bytes), 1, PAGE_EVENTS_MAX);
  }

  /** Has all events until now read at once, for a reader that waits for them. */
  void fillNow() {
    lock.lock();
    try {
      awaited = journal.head();
      urgent.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits for the next page; empty when it is closed. */
  Optional<List<Entry>> take() {
    lock.lock();
    try {
      while (!isClosed && pages.isEmpty()) {
        filled.awaitUninterruptibly();
      }
      Optional<List<Entry>> page = isClosed ? Optional.empty() : Optional.of(pages.remove());
      needed.signalAll();
      return page;
    } finally {
      lock.unlock();
    }
  }

  /** Waits, or until it is closed. */
  void pause(long millis) {
    lock.lock();
    try {
      await(TimeUnit.MILLISECONDS.toNanos(millis), () -> true);
    } finally {
      lock.unlock();
    }
  }

  /** Ends the waiting of both threads. */
  void close() {
    stopFollowing.run();
    lock.lock();
    try {
      isClosed = true;
      needed.signalAll();
      filled.signalAll();
      urgent.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
