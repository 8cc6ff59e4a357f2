package gatebook.query.trend;

import gatebook.events.journal.Journal;
import gatebook.query.projection.EpochNanos;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The time that the journal has recorded, from its first event on. */
public final class RecordedTime {
  private final Journal journal;

  /** The time of the first event; absent while the journal is empty. */
  private volatile @Nullable Long firstEventAt;

  public RecordedTime(Journal journal) {
    this.journal = journal;
  }

  /** The recorded span up to a time; empty while the journal is. */
  public TimeSpan until(long to) {
    return new TimeSpan(Objects.requireNonNullElse(firstEventAt(), to), to);
  }

  private @Nullable Long firstEventAt() {
    Long began = firstEventAt;
    if (began == null) {
      began =
          journal.read(0, 1).stream().map(it -> EpochNanos.of(it.at())).findFirst().orElse(null);
      firstEventAt = began;
    }
    return began;
  }
}
