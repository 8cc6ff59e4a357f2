package gatebook.api.callers;

import gatebook.api.dialect.A2aProfile;
import gatebook.api.rpc.RpcMessage;
import gatebook.events.call.Dialect;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Malformed.EnvelopeDefect;
import gatebook.events.fault.Malformed.InvalidRequest;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Checks what a strict dialect demands of a message beyond JSON-RPC. */
final class DialectStrictness {

  private DialectStrictness() {}

  /** Checks a message. */
  static RpcMessage check(Dialect dialect, RpcMessage rpcMessage) {
    return switch (dialect) {
      case FLOW -> checkFlow(rpcMessage);
      case MCP, DAEMON, A2A -> rpcMessage;
    };
  }

  /**
   * Why a message that is no call gets another error than its own: an unsupported version comes
   * first. A call is recorded as such, and its handler refuses it.
   *
   * @param version of the dialect; absent when none was declared
   */
  static Optional<? extends Fault> refusal(
      Dialect dialect, @Nullable String version, RpcMessage rpcMessage) {
    return dialect == Dialect.A2A && rpcMessage instanceof RpcMessage.Unreadable
        ? A2aProfile.recorded(version).refusal()
        : Optional.empty();
  }

  /** In both profiles every message must have an id and params, so there are no notifications. */
  private static RpcMessage checkFlow(RpcMessage rpcMessage) {
    return switch (rpcMessage) {
      case RpcMessage.Notification _ ->
          new RpcMessage.Unreadable(new InvalidRequest(EnvelopeDefect.ID_MISSING), null);
      case RpcMessage.Request(var id, _, var params, _) when params == null ->
          new RpcMessage.Unreadable(new InvalidRequest(EnvelopeDefect.PARAMS_MISSING), id);
      case RpcMessage.Request _, RpcMessage.Unreadable _ -> rpcMessage;
    };
  }
}
