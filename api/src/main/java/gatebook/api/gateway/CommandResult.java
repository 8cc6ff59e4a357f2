package gatebook.api.gateway;

import gatebook.events.journal.Append;

/** Result of a command: its outcome is stored in the journal, or the journal refused it. */
sealed interface CommandResult<R> {

  record Stored<R>(R outcome) implements CommandResult<R> {}

  record Refused<R>(Append.Refused refusal) implements CommandResult<R> {}
}
