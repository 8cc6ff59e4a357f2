package gatebook.api.node.sharing;

import gatebook.api.gateway.message.CallerConnection;
import gatebook.api.operator.tail.TailAdmission;
import java.util.Optional;

/** The operator RPC of the owner. Both methods may block. */
public interface OwnerOperatorRpc {

  /** Answers a message of an operator with this token; empty when it needs no response. */
  Optional<byte[]> answer(String token, byte[] message);

  /**
   * Lets an operator with this token follow the journal.
   *
   * @param query selects events
   * @param lastSeen the position of the last event that the operator received, if any
   */
  TailAdmission follow(
      String token, String query, Optional<String> lastSeen, CallerConnection connection);
}
