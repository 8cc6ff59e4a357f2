package gatebook.api.gateway;

import gatebook.api.gateway.message.CallIds;
import gatebook.api.gateway.message.CredentialMask;
import gatebook.api.gateway.message.DialectHandler;
import gatebook.api.gateway.message.DialectHandler.DialectCall;
import gatebook.api.gateway.message.DialectReading;
import gatebook.api.gateway.message.IncomingMessage;
import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.api.gateway.message.TraceContext;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.rpc.RpcMessage;
import gatebook.command.call.DialectVersion;
import gatebook.command.rules.Rules;
import gatebook.events.call.Transport;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One received message, with the ids, the rules and the dialect that every step of its pipeline
 * works with.
 *
 * @param members those of the message's params
 * @param snapshot as it was when the message came in
 */
record ReceivedMessage(
    IncomingMessage incoming,
    ObjectMembers members,
    CallIds ids,
    DialectHandler handler,
    RoutingSnapshot snapshot,
    Instant receivedAt) {

  RpcMessage message() {
    return incoming.message();
  }

  UUID callId() {
    return ids.callId();
  }

  Rules rules() {
    return snapshot.rules();
  }

  DialectVersion dialectVersion() {
    return new DialectVersion(handler.dialect(), ids.dialectVersion());
  }

  /** The headers that go on to sources. */
  Map<String, String> forwardedHeaders() {
    return TraceContext.forwardedHeaders(incoming, members);
  }

  /** A masked one is not the id of any agent. */
  private @Nullable String agent() {
    String agent = incoming.agent();
    return agent == null ? null : CredentialMask.maskAndCut(agent);
  }

  DialectCall asking(String method, @Nullable String params) {
    return new DialectCall(
        method,
        params,
        members,
        ids.dialectVersion(),
        rules(),
        incoming.transport() == Transport.HTTP ? incoming.headers() : null,
        agent(),
        new DialectReading());
  }
}
