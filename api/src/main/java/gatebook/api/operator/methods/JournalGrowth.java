package gatebook.api.operator.methods;

import gatebook.events.journal.Journal;
import gatebook.events.journal.storage.JournalUnreadable;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.LongFunction;

/** Computes the growth of a journal from its newest day, or from all of it when it is younger. */
public final class JournalGrowth {
  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration AGE_MIN = Duration.ofHours(1);

  private JournalGrowth() {}

  /**
   * The same of an open journal; empty for one that is on no disk of this node, or cannot be read.
   */
  public static Optional<Long> bytesPerDay(Journal journal, InstantSource clock) {
    if (journal.isShared()) {
      return Optional.empty();
    }
    Instant now = clock.instant();
    try {
      return bytesPerDay(
          journal.bytes(),
          journal.head(),
          position ->
              journal.read(position - 1, 1).stream()
                  .findFirst()
                  .map(entry -> Instant.parse(entry.at()))
                  .orElse(now),
          now);
    } catch (JournalUnreadable _) {
      return Optional.empty();
    }
  }

  /**
   * The bytes that the journal grows by in a day: the events of the newest day, each as large as
   * the average one. Empty while the journal is younger than an hour. Reads the times of few
   * events, which are nearly in the order of positions.
   *
   * @param bytes of the whole journal
   * @param timeAt the time of the event at a position
   */
  static Optional<Long> bytesPerDay(
      long bytes, long head, LongFunction<Instant> timeAt, Instant now) {
    if (head == 0) {
      return Optional.empty();
    }
    Duration age = Duration.between(timeAt.apply(1), now);
    if (age.compareTo(AGE_MIN) < 0) {
      return Optional.empty();
    }
    Duration period = age.compareTo(DAY) < 0 ? age : DAY;
    long events = head - eventsBefore(now.minus(period), head, timeAt);
    double days = (double) period.toMillis() / DAY.toMillis();
    return Optional.of(Math.round((double) bytes / head * events / days));
  }

  private static long eventsBefore(Instant at, long head, LongFunction<Instant> timeAt) {
    long before = 0;
    long notBefore = head + 1;
    while (notBefore - before > 1) {
      long middle = before + (notBefore - before) / 2;
      if (timeAt.apply(middle).isBefore(at)) {
        before = middle;
      } else {
        notBefore = middle;
      }
    }
    return before;
  }
}
