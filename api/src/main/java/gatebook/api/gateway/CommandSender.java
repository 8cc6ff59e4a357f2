package gatebook.api.gateway;

import gatebook.command.rules.Rules;
import gatebook.events.journal.Append;
import gatebook.events.journal.axon.AppendRefused;
import java.lang.ref.Reference;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.axonframework.messaging.commandhandling.gateway.CommandGateway;
import org.jspecify.annotations.Nullable;

/**
 * Sends commands to their handlers. The journal's refusals come back as values; an exception is a
 * failure of this gateway.
 */
final class CommandSender {

  private final CommandGateway commands;

  CommandSender(CommandGateway commands) {
    this.commands = commands;
  }

  <R> CompletableFuture<CommandResult<R>> send(Object command, Class<R> outcome) {
    return commands.send(command, outcome).handle(CommandSender::recorded);
  }

  /** Sends a command that names these rules, which are kept until the command is handled. */
  @SuppressWarnings("ReachabilityFenceUsage") // completing the command is the end of their use
  <R> CompletableFuture<CommandResult<R>> send(Object command, Class<R> outcome, Rules rules) {
    return send(command, outcome).whenComplete((_, _) -> Reference.reachabilityFence(rules));
  }

  private static <R> CommandResult<R> recorded(R outcome, @Nullable Throwable failure) {
    if (failure == null) {
      return new CommandResult.Stored<>(outcome);
    }
    return switch (refusal(failure)) {
      // the journal can write, but not this event: it is wrong
      case null -> throw new CompletionException(failure);
      case Append.Unstorable _ -> throw new CompletionException(failure);
      case Append.Refused refusal -> new CommandResult.Refused<>(refusal);
    };
  }

  private static Append.@Nullable Refused refusal(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof AppendRefused refused) {
        return refused.refusal();
      }
    }
    return null;
  }
}
