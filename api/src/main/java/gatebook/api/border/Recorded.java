package gatebook.api.border;

import gatebook.events.journal.Append;

/** Whether a decision is in the journal. */
sealed interface Recorded<R> {

  record Done<R>(R outcome) implements Recorded<R> {}

  record Not<R>(Append.Refused refusal) implements Recorded<R> {}
}
