package gatebook.api.gateway;

import gatebook.api.gateway.message.CommandResult;
import gatebook.command.rules.Rules;
import java.lang.ref.Reference;
import java.util.concurrent.CompletableFuture;
import org.axonframework.messaging.commandhandling.gateway.CommandGateway;

/**
 * Sends commands to their handlers. The journal's refusals come back as values; an exception is a
 * failure of this gateway.
 */
public final class CommandSender {

  private final CommandGateway commands;

  public CommandSender(CommandGateway commands) {
    this.commands = commands;
  }

  <R> CompletableFuture<CommandResult<R>> send(Object command, Class<R> outcome) {
    return commands.send(command, outcome).handle(CommandResult::of);
  }

  /** Sends a command that names these rules, which are kept until the command is handled. */
  @SuppressWarnings("ReachabilityFenceUsage") // completing the command is the end of their use
  public <R> CompletableFuture<CommandResult<R>> send(
      Object command, Class<R> outcome, Rules rules) {
    return commands
        .send(command, outcome)
        .handle((result, failure) -> {
          Reference.reachabilityFence(rules);
          return CommandResult.of(result, failure);
        });
  }
}
