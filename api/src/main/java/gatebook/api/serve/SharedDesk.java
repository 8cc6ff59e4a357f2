package gatebook.api.serve;

import gatebook.api.border.Presence;
import gatebook.api.operator.Admission;
import gatebook.api.operator.Desk;
import gatebook.api.owner.OperatorsDesk;
import gatebook.command.rules.Limits;
import gatebook.events.CallAbandoned.Cause;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The owner's desk, to operators who ask by way of its data directory. */
record SharedDesk(Supplier<Desk> desk, Supplier<Limits> limits) implements OperatorsDesk {

  @Override
  public Optional<byte[]> answer(String token, byte[] message) {
    return desk.get().answer(message, token);
  }

  @Override
  public Admission follow(
      String token,
      String query,
      Optional<String> lastSeen,
      CompletableFuture<?> gone,
      Runnable hangUp) {
    Presence presence =
        action -> {
          CompletableFuture<Void> _ = gone.thenRun(() -> action.accept(Cause.DISCONNECTED));
          return () -> {}; // one line is followed by one
        };
    return desk.get().follow(token, query, lastSeen, limits.get(), presence, hangUp);
  }
}
