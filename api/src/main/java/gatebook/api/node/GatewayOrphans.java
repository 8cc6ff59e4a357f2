package gatebook.api.node;

import gatebook.api.flow.FlowMethods;
import gatebook.api.gateway.Gateway;
import gatebook.command.call.OrphanCall;
import gatebook.query.trees.OpenExecution;
import gatebook.query.trees.OpenWebhook;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.axonframework.messaging.commandhandling.gateway.CommandGateway;

/** Closes orphaned calls and resumes orphaned tasks with the gateway of this process. */
final class GatewayOrphans implements OrphanHandler {
  private final CommandGateway commands;
  private final Gateway gateway;
  private final FlowMethods flow;

  GatewayOrphans(CommandGateway commands, Gateway gateway, FlowMethods flow) {
    this.commands = commands;
    this.gateway = gateway;
    this.flow = flow;
  }

  @Override
  public CompletableFuture<Boolean> close(OrphanCall call) {
    return commands.send(call, Boolean.class);
  }

  @Override
  public void resume(UUID callId) {
    gateway.takeOver(callId);
  }

  @Override
  public CompletableFuture<Void> takeOver(OpenExecution execution) {
    return flow.takeOver(execution);
  }

  @Override
  public CompletableFuture<Void> takeOver(OpenWebhook webhook) {
    return flow.takeOver(webhook);
  }
}
