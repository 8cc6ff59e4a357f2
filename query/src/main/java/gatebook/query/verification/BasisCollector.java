package gatebook.query.verification;

import gatebook.events.journal.storage.RefusedStamp;
import gatebook.query.verification.VerificationReport.Basis;
import gatebook.query.verification.VerificationReport.PositionRange;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Collects the basis of a verification, part by part: what was read, and what stamps settled. */
final class BasisCollector {
  private final List<PositionRange> read = new ArrayList<>();
  private final List<PositionRange> stamped = new ArrayList<>();
  private long stamps;
  private long stampedEvents;
  private long unreadEvents;
  private Optional<Instant> oldestStamp = Optional.empty();

  void addRead(long from, long to) {
    add(read, from, to);
  }

  void addStamped(long from, long to, Instant at) {
    add(stamped, from, to);
    stamps++;
    stampedEvents += to - from + 1;
    oldestStamp = Optional.of(oldestStamp.filter(it -> it.isBefore(at)).orElse(at));
  }

  void addUnread(long events) {
    unreadEvents += events;
  }

  private static void add(List<PositionRange> ranges, long from, long to) {
    if (!ranges.isEmpty() && ranges.getLast().to() == from - 1) {
      ranges.set(ranges.size() - 1, new PositionRange(ranges.getLast().from(), to));
    } else {
      ranges.add(new PositionRange(from, to));
    }
  }

  Basis basis(long events, List<RefusedStamp> refusedStamps) {
    return new Basis(
        events - stampedEvents - unreadEvents,
        read,
        stampedEvents,
        stamped,
        stamps,
        oldestStamp,
        refusedStamps);
  }
}
