package gatebook.api.flow;

import gatebook.api.gateway.ClientChannel;
import gatebook.api.gateway.RoutingSnapshot;
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
record FlowContext(
    FlowProfile profile,
    FlowCaller caller,
    String owner,
    UUID callId,
    Correlation correlation,
    RoutingSnapshot routingSnapshot,
    ClientChannel channel) {

  Rules rules() {
    return routingSnapshot.rules();
  }
}
