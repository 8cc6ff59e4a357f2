package gatebook.events.journal.backup;

import java.time.Instant;

/** Where a restored journal ends. */
public sealed interface RestoreEnd {
  /** With the last event of the backup. */
  record Everything() implements RestoreEnd {}

  /** With the event at this position. */
  record Position(long position) implements RestoreEnd {}

  /** Before the first event that happened later than this. */
  record Time(Instant at) implements RestoreEnd {}
}
