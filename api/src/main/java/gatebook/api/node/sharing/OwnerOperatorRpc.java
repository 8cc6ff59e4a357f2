package gatebook.api.node.sharing;

import gatebook.api.operator.TailAdmission;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Where the owner answers operators. Both may block. */
public interface OwnerOperatorRpc {

  /** The answer to a message of whoever shows a token; empty where none is wanted. */
  Optional<byte[]> answer(String token, byte[] message);

  /**
   * Lets whoever shows a token follow the journal.
   *
   * @param query says which events he wants
   * @param lastSeen the position of the last event he saw, if there was one
   * @param gone completes when he is gone
   * @param hangUp sends him away
   */
  TailAdmission follow(
      String token,
      String query,
      Optional<String> lastSeen,
      CompletableFuture<?> gone,
      Runnable hangUp);
}
