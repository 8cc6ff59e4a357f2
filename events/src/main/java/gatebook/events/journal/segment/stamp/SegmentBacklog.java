package gatebook.events.journal.segment.stamp;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * The sealed segments that wait to be stamped or compressed, and how long the thread that stamps
 * and the one that compresses rest: hardly any time is theirs while callers are waiting, unless
 * many segments wait or one waits for long.
 */
final class SegmentBacklog {
  /** So many segments may wait for callers. */
  static final int WAITING_MAX = 8;

  /** A segment waits for callers at most so long. */
  static final Duration WAIT_MAX = Duration.ofMinutes(10);

  /** So long after an append callers count as waiting. */
  static final Duration BUSY = Duration.ofSeconds(1);

  /** Each of the two threads works 1.5 % of the time. */
  static final int BESIDE_CALLERS = 66;

  /** The backlog does not grow: it is less work than the appends of its segments. */
  static final int BEHIND = 1;

  private final LongSupplier head;
  private final LongSupplier nanoTime;

  /** The first positions of the segments that wait, with the time since when; the oldest first. */
  private final Map<Long, Long> waiting = new LinkedHashMap<>();

  private long headSeen;
  private long appendedAt;

  /**
   * @param head the position of the journal's newest event
   */
  SegmentBacklog(LongSupplier head, LongSupplier nanoTime) {
    this.head = head;
    this.nanoTime = nanoTime;
    this.headSeen = head.getAsLong();
    this.appendedAt = nanoTime.getAsLong() - BUSY.toNanos();
  }

  /** A segment waits, if it does not already. */
  synchronized void add(long first) {
    waiting.putIfAbsent(first, nanoTime.getAsLong());
  }

  /** A segment is stamped and compressed, or cannot be. */
  synchronized void remove(long first) {
    waiting.remove(first);
  }

  /** The ratio of rest to work of each thread at this moment. */
  synchronized int restFactor() {
    long now = nanoTime.getAsLong();
    long newHead = head.getAsLong();
    if (newHead != headSeen) {
      headSeen = newHead;
      appendedAt = now;
    }
    if (now - appendedAt >= BUSY.toNanos()) {
      return 0;
    }
    return isBehind(now) ? BEHIND : BESIDE_CALLERS;
  }

  private boolean isBehind(long now) {
    return waiting.size() > WAITING_MAX
        || waiting.values().stream().limit(1).anyMatch(since -> now - since > WAIT_MAX.toNanos());
  }
}
