package gatebook.api.callers;

import gatebook.api.rpc.Message;
import gatebook.events.call.Dialect;
import gatebook.events.fault.Malformed.EnvelopeDefect;
import gatebook.events.fault.Malformed.InvalidRequest;

/** What a dialect asks of a message beyond JSON-RPC. */
final class Strictness {

  private Strictness() {}

  static Message of(Dialect dialect, Message message) {
    return switch (dialect) {
      case FLOW -> ofFlow(message);
      case MCP, DAEMON, A2A -> message;
    };
  }

  /** Every message has an id and params; so there are no notifications. */
  private static Message ofFlow(Message message) {
    return switch (message) {
      case Message.Notification _ ->
          new Message.Unreadable(new InvalidRequest(EnvelopeDefect.ID_MISSING), null);
      case Message.Request(var id, _, var params) when params == null ->
          new Message.Unreadable(new InvalidRequest(EnvelopeDefect.PARAMS_MISSING), id);
      case Message.Request _, Message.Unreadable _ -> message;
    };
  }
}
