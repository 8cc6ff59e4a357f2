package gatebook.api.flow.task;

import gatebook.api.gateway.message.ClientChannel;
import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.command.rules.Rules;
import gatebook.events.call.Correlation;
import java.util.UUID;

/**
 * The context of a request of the task-flow protocol.
 *
 * @param owner of the trees that the caller creates and sees: its name
 * @param callId of the call that the request is
 * @param correlation of that call
 */
public record FlowContext(
    FlowProfile profile,
    FlowCaller caller,
    String owner,
    UUID callId,
    Correlation correlation,
    RoutingSnapshot routingSnapshot,
    ClientChannel channel) {

  public Rules rules() {
    return routingSnapshot.rules();
  }
}
