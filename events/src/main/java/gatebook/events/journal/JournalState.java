package gatebook.events.journal;

/** Whether a journal takes appends, and if not, why. */
public sealed interface JournalState {
  record Writable() implements JournalState {}

  /** The database failed; the journal tries to come back by itself. */
  record Unavailable(String reason) implements JournalState {}

  /** The rows disagree with the newest checkpoint; an operator has to look and accept. */
  record Distrusted(String reason) implements JournalState {}

  record Closed() implements JournalState {}
}
