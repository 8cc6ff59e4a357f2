package gatebook.api.upstream.source;

import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.Upstream.Call;
import gatebook.api.upstream.mcp.McpMethod;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The notification that cancels a request at its source. Only the revisions with sessions have it:
 * to a stateless source a closed response stream says the same.
 */
final class CancellationNotification {

  private CancellationNotification() {}

  /**
   * The notification; empty where none may be sent. It has the headers of the call.
   *
   * @param id the token of the id that was sent upstream; absent for a notification
   */
  static Optional<Call> of(ProtocolMode protocolMode, Call call, @Nullable String id) {
    return id != null
            && protocolMode instanceof ProtocolMode.Negotiated(_, _, var initializeResult)
            && !call.method().equals(McpMethod.INITIALIZE)
            && !isTask(call, initializeResult)
        ? Optional.of(
            new Call(
                null,
                McpMethod.NOTIFICATIONS_CANCELLED,
                """
                {"requestId":%s,"reason":"nobody waits for the answer any longer"}\
                """
                    .formatted(id),
                true,
                call.headers()))
        : Optional.empty();
  }

  /** Whether the source makes a task of the call, which only {@code tasks/cancel} may cancel. */
  private static boolean isTask(Call call, String initializeResult) {
    return call.members().json("task").isPresent()
        && ObjectMembers.of(initializeResult).members("capabilities").json("tasks").isPresent();
  }
}
