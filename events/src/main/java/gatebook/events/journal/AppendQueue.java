package gatebook.events.journal;

import gatebook.events.journal.storage.JournalLimits;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The queue of appends that wait for the writer, limited by events and by bytes. Offering never
 * blocks.
 */
final class AppendQueue {

  /**
   * The events of one caller, all stored or none, under the name of its process.
   *
   * @param introduction of the key that they introduce; such a request is a batch of its own
   */
  record Request(
      String node,
      ConflictCondition condition,
      List<DraftEvent> drafts,
      long bytes,
      @Nullable KeyIntroduction introduction,
      CompletableFuture<Append> result) {}

  private final JournalLimits limits;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition arrived = lock.newCondition();
  private final ArrayDeque<Request> waiting = new ArrayDeque<>();
  private int events;
  private long bytes;
  private boolean closed;

  AppendQueue(JournalLimits limits) {
    this.limits = limits;
  }

  enum Offer {
    TAKEN,
    FULL,
    CLOSED
  }

  Offer offer(Request request) {
    lock.lock();
    try {
      if (closed) {
        return Offer.CLOSED;
      }
      if (!fits(request)) {
        return Offer.FULL;
      }
      waiting.add(request);
      events += request.drafts().size();
      bytes += request.bytes();
      arrived.signal();
      return Offer.TAKEN;
    } finally {
      lock.unlock();
    }
  }

  private boolean fits(Request request) {
    return events + request.drafts().size() <= limits.queueEventsMax()
        && bytes + request.bytes() <= limits.queueBytesMax();
  }

  /**
   * Takes what fits into the next batch; empty when nothing was offered within the wait or the
   * queue was closed.
   */
  List<Request> take(long waitMillis) throws InterruptedException {
    lock.lock();
    try {
      long nanos = TimeUnit.MILLISECONDS.toNanos(waitMillis);
      while (waiting.isEmpty() && !closed && nanos > 0) {
        nanos = arrived.awaitNanos(nanos);
      }
      return drain();
    } finally {
      lock.unlock();
    }
  }

  private List<Request> drain() {
    List<Request> batch = new ArrayList<>(Math.min(waiting.size(), limits.batchEventsMax()));
    int batchEvents = 0;
    long batchBytes = 0;
    for (Request next = waiting.peek(); next != null; next = waiting.peek()) {
      batchEvents += next.drafts().size();
      batchBytes += next.bytes();
      if (!batch.isEmpty()
          && (batchEvents > limits.batchEventsMax()
              || batchBytes > limits.batchBytesMax()
              || next.introduction() != null
              || batch.getLast().introduction() != null)) {
        break;
      }
      batch.add(waiting.remove());
      events -= next.drafts().size();
      bytes -= next.bytes();
    }
    return batch;
  }

  List<Request> takeAll() {
    lock.lock();
    try {
      List<Request> all = List.copyOf(waiting);
      waiting.clear();
      events = 0;
      bytes = 0;
      return all;
    } finally {
      lock.unlock();
    }
  }

  /** Refuses further requests; those in the queue can still be taken. */
  void close() {
    lock.lock();
    try {
      closed = true;
      arrived.signalAll();
    } finally {
      lock.unlock();
    }
  }

  boolean isDone() {
    lock.lock();
    try {
      return closed && waiting.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  int events() {
    lock.lock();
    try {
      return events;
    } finally {
      lock.unlock();
    }
  }

  long bytes() {
    lock.lock();
    try {
      return bytes;
    } finally {
      lock.unlock();
    }
  }
}
