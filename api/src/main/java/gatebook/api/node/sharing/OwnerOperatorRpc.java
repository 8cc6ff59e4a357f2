package gatebook.api.node.sharing;

import gatebook.api.operator.tail.TailAdmission;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The operator RPC of the owner. Both methods may block. */
public interface OwnerOperatorRpc {

  /** Answers a message of an operator with this token; empty when it needs no response. */
  Optional<byte[]> answer(String token, byte[] message);

  /**
   * Lets an operator with this token follow the journal.
   *
   * @param query selects events
   * @param lastSeen the position of the last event that the operator received, if any
   * @param disconnected completes when the operator has disconnected
   * @param disconnect closes the operator's connection
   */
  TailAdmission follow(
      String token,
      String query,
      Optional<String> lastSeen,
      CompletableFuture<?> disconnected,
      Runnable disconnect);
}
