package gatebook.api.callers;

import gatebook.api.rpc.RpcMessage;
import gatebook.events.call.Dialect;
import gatebook.events.fault.Malformed.EnvelopeDefect;
import gatebook.events.fault.Malformed.InvalidRequest;

/** Checks what a strict dialect demands of a message beyond JSON-RPC. */
final class DialectStrictness {

  private DialectStrictness() {}

  static RpcMessage check(Dialect dialect, RpcMessage rpcMessage) {
    return switch (dialect) {
      case FLOW -> checkFlow(rpcMessage);
      case MCP, DAEMON, A2A -> rpcMessage;
    };
  }

  /** Every message must have an id and params, so there are no notifications. */
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
