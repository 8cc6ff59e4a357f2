package gatebook.events.journal.postgres;

/**
 * A partition of the table of events: those of the positions from the first to the last.
 *
 * <p>The first partition of a journal also takes positions below 1, at which nothing is appended.
 */
record JournalPartition(long first, long last) {

  String table() {
    return "journal_p" + first;
  }

  String bounds() {
    return "FROM (%s) TO (%d)".formatted(first == 1 ? "MINVALUE" : first, last + 1);
  }

  /** The partition behind this one. */
  JournalPartition next(long events) {
    return new JournalPartition(last + 1, last + events);
  }
}
