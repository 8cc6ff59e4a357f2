package gatebook.api.gateway;

import gatebook.events.journal.Append;

/** Whether a decision is in the journal. */
sealed interface CommandResult<R> {

  record Done<R>(R outcome) implements CommandResult<R> {}

  record Not<R>(Append.Refused refusal) implements CommandResult<R> {}
}
