package gatebook.api.node;

import gatebook.api.gateway.message.CallerConnection;
import gatebook.api.node.sharing.OwnerOperatorRpc;
import gatebook.api.operator.OperatorRpc;
import gatebook.api.operator.tail.TailAdmission;
import gatebook.command.rules.GatewayLimits;
import java.util.Optional;
import java.util.function.Supplier;

/** The owner's operator RPC, shared with operators who ask through the data directory. */
record SharedOperatorRpc(Supplier<OperatorRpc> operatorRpc, Supplier<GatewayLimits> limits)
    implements OwnerOperatorRpc {

  @Override
  public Optional<byte[]> answer(String token, byte[] message) {
    return operatorRpc.get().answer(message, token);
  }

  @Override
  public TailAdmission follow(
      String token, String query, Optional<String> lastSeen, CallerConnection connection) {
    return operatorRpc.get().follow(token, query, lastSeen, limits.get(), connection);
  }
}
