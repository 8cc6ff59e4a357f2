package gatebook.events.journal;

/** The state of a journal: whether it takes appends, and if not, why. */
public sealed interface JournalState {
  record Writable() implements JournalState {}

  /** The database failed; the journal keeps trying to reopen it. */
  record Unavailable(String reason) implements JournalState {}

  /** The rows disagree with the newest checkpoint; an operator has to check and accept them. */
  record Distrusted(String reason) implements JournalState {}

  /** The journal was restored: it is only read until an operator lets it go on. */
  record ReadOnly(String reason) implements JournalState {}

  /** A witness has a newer checkpoint: it is only read until an operator lets it go on. */
  record RolledBack(String reason) implements JournalState {}

  record Closed() implements JournalState {}

  /** Whether it is read, and takes no appends until an operator lets it go on. */
  default boolean isReadOnly() {
    return this instanceof ReadOnly || this instanceof RolledBack;
  }
}
