package gatebook.api.node;

import gatebook.api.gateway.CallerConnection;
import gatebook.api.node.sharing.OwnerOperatorRpc;
import gatebook.api.operator.OperatorRpc;
import gatebook.api.operator.TailAdmission;
import gatebook.command.rules.GatewayLimits;
import gatebook.events.CallAbandoned.Cause;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The owner's desk, to operators who ask by way of its data directory. */
record SharedOperatorRpc(Supplier<OperatorRpc> desk, Supplier<GatewayLimits> limits)
    implements OwnerOperatorRpc {

  @Override
  public Optional<byte[]> answer(String token, byte[] message) {
    return desk.get().answer(message, token);
  }

  @Override
  public TailAdmission follow(
      String token,
      String query,
      Optional<String> lastSeen,
      CompletableFuture<?> gone,
      Runnable hangUp) {
    CallerConnection callerConnection =
        action -> {
          CompletableFuture<Void> _ = gone.thenRun(() -> action.accept(Cause.DISCONNECTED));
          return () -> {}; // one line is followed by one
        };
    return desk.get().follow(token, query, lastSeen, limits.get(), callerConnection, hangUp);
  }
}
