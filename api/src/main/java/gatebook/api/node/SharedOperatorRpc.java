package gatebook.api.node;

import gatebook.api.gateway.message.CallerConnection;
import gatebook.api.node.sharing.OwnerOperatorRpc;
import gatebook.api.operator.OperatorRpc;
import gatebook.api.operator.tail.TailAdmission;
import gatebook.command.rules.GatewayLimits;
import gatebook.events.CallAbandoned.Cause;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
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
      String token,
      String query,
      Optional<String> lastSeen,
      CompletableFuture<?> disconnected,
      Runnable disconnect) {
    return operatorRpc
        .get()
        .follow(
            token, query, lastSeen, limits.get(), new ProcessConnection(disconnected, disconnect));
  }

  /** The connection of another process on this data directory. */
  private record ProcessConnection(CompletableFuture<?> disconnected, Runnable disconnect)
      implements CallerConnection {
    @Override
    public Watch onDisconnect(Consumer<Cause> action) {
      CompletableFuture<Void> _ = disconnected.thenRun(() -> action.accept(Cause.DISCONNECTED));
      return () -> {}; // each connection follows at most once
    }

    @Override
    public void close() {
      disconnect.run();
    }
  }
}
