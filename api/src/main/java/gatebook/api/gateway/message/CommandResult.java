package gatebook.api.gateway.message;

import gatebook.events.journal.Append;
import gatebook.events.journal.axon.AppendRefused;
import gatebook.events.journal.storage.JournalUnreadable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Result of a command or a query: its outcome is stored in the journal, or the journal refused it.
 */
public sealed interface CommandResult<R> {

  record Stored<R>(R outcome) implements CommandResult<R> {}

  record Refused<R>(Append.Refused refusal) implements CommandResult<R> {}

  /**
   * The result of a message that ended with an outcome or a failure. A journal that cannot be read
   * refuses, as one that cannot be written does.
   */
  static <R> CommandResult<R> of(R outcome, @Nullable Throwable failure) {
    if (failure == null) {
      return new Stored<>(outcome);
    }
    return switch (refusal(failure)) {
      // the journal can write, but not this event: it is wrong
      case null -> throw new CompletionException(failure);
      case Append.Unstorable _ -> throw new CompletionException(failure);
      case Append.Refused refusal -> new Refused<>(refusal);
    };
  }

  /** The outcomes of several, in their order; refused when one of them is. */
  static <R> CommandResult<List<R>> all(List<CommandResult<R>> each) {
    List<R> outcomes = new ArrayList<>();
    for (CommandResult<R> one : each) {
      switch (one) {
        case Stored<R>(var outcome) -> outcomes.add(outcome);
        case Refused<R>(var refusal) -> {
          return new Refused<>(refusal);
        }
      }
    }
    return new Stored<>(outcomes);
  }

  private static Append.@Nullable Refused refusal(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      Optional<Append.Refused> refusal = AppendRefused.refusal(cause);
      if (refusal.isPresent()) {
        return refusal.get();
      }
      if (cause instanceof JournalUnreadable unreadable) {
        return new Append.Unavailable(String.valueOf(unreadable.getMessage()));
      }
    }
    return null;
  }
}
