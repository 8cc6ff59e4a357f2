package gatebook.api.operator.whatif;

import gatebook.events.journal.Journal;
import gatebook.events.journal.JournalState;
import gatebook.events.journal.storage.Entry;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Passes over the journal, page by page. It gives way to callers: while events are appended, it
 * rests as long as it works.
 */
final class JournalPass {
  private static final int PAGE = 1_000;
  private static final long REST_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(500);

  private final Journal journal;
  private final BooleanSupplier isCancelled;
  private final Rest rest;
  private long appendedUpTo;
  private boolean areCallsArriving;

  /** Rests so long. */
  @FunctionalInterface
  interface Rest {
    void nanos(long nanos) throws InterruptedException;
  }

  /** Takes a page of entries and returns whether it needs the next one. */
  @FunctionalInterface
  interface PageReader {
    boolean read(List<Entry> page) throws InterruptedException;
  }

  JournalPass(Journal journal, BooleanSupplier isCancelled, Rest rest) {
    this.journal = journal;
    this.isCancelled = isCancelled;
    this.rest = rest;
    this.appendedUpTo = journal.head();
  }

  /** Reads the pages after a position, as long as they are needed, to the one with the end. */
  void read(long after, long end, PageReader reader) throws NoReport, InterruptedException {
    long position = after;
    boolean isNeeded = position < end;
    while (isNeeded) {
      requireGoingOn();
      long began = System.nanoTime();
      List<Entry> page = journal.read(position, PAGE);
      if (page.isEmpty()) {
        return;
      }
      position = page.getLast().position();
      isNeeded = reader.read(page) && position < end;
      if (isNeeded) {
        giveWay(System.nanoTime() - began);
      }
    }
  }

  /** Whether events were appended while the last page was read. */
  boolean areCallsArriving() {
    return areCallsArriving;
  }

  private void requireGoingOn() throws NoReport {
    if (isCancelled.getAsBoolean()) {
      throw NoReport.cancelled();
    }
    if (journal.state() instanceof JournalState.Closed) {
      throw NoReport.nodeStops();
    }
  }

  private void giveWay(long workedNanos) throws InterruptedException {
    long head = journal.head();
    areCallsArriving = head > appendedUpTo;
    appendedUpTo = head;
    if (areCallsArriving) {
      rest.nanos(Math.min(workedNanos, REST_NANOS_MAX));
    }
  }
}
