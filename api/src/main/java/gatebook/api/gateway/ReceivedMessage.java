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
import gatebook.command.call.Intent;
import gatebook.command.rules.Rules;
import gatebook.events.call.Transport;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One received message: the ids, the rules and the dialect that every step works with, and what is
 * known of its call so far.
 */
final class ReceivedMessage {

  private final IncomingMessage incoming;
  private final ObjectMembers members;
  private final CallIds ids;
  private final DialectHandler handler;
  private final RoutingSnapshot snapshot;
  private final Instant receivedAt;
  private final CallProgress progress = new CallProgress();
  private volatile @Nullable DialectCall call;
  private volatile String principalName = "";
  private volatile @Nullable Intent intent;
  private volatile Intent.@Nullable Act wantedAct;
  private volatile boolean runsOn;

  /**
   * @param snapshot as it was when the message came in
   */
  ReceivedMessage(
      UUID callId,
      IncomingMessage incoming,
      DialectHandler handler,
      RoutingSnapshot snapshot,
      Instant receivedAt) {
    this.incoming = incoming;
    this.members = incoming.message().members();
    this.ids = CallIds.of(callId, incoming, members);
    this.handler = handler;
    this.snapshot = snapshot;
    this.receivedAt = receivedAt;
  }

  IncomingMessage incoming() {
    return incoming;
  }

  RpcMessage message() {
    return incoming.message();
  }

  CallIds ids() {
    return ids;
  }

  UUID callId() {
    return ids.callId();
  }

  /** The text of its JSON-RPC id; absent when no response is wanted. */
  @Nullable String rpcId() {
    return message().id();
  }

  /** Whether a caller waits for the reply, and not a tree, whose task the next process resumes. */
  boolean isOfCaller() {
    return incoming.transport() != Transport.TREE;
  }

  DialectHandler handler() {
    return handler;
  }

  RoutingSnapshot snapshot() {
    return snapshot;
  }

  Rules rules() {
    return snapshot.rules();
  }

  Instant receivedAt() {
    return receivedAt;
  }

  /** Whether its call runs on after the reply; whatever runs it ends it, then. */
  boolean runsOn() {
    return runsOn;
  }

  void runOn() {
    runsOn = true;
  }

  CallProgress progress() {
    return progress;
  }

  DialectVersion dialectVersion() {
    return new DialectVersion(handler.dialect(), ids.dialectVersion());
  }

  /** The headers that go on to sources. */
  Map<String, String> forwardedHeaders() {
    return TraceContext.forwardedHeaders(incoming, members);
  }

  /** Reads the message as a call of its dialect. */
  void read(String method, @Nullable String params) {
    call =
        new DialectCall(
            method,
            params,
            members,
            ids.dialectVersion(),
            rules(),
            incoming.transport() == Transport.HTTP ? incoming.headers() : null,
            agent(),
            new DialectReading());
  }

  /** A masked one is not the id of any agent. */
  private @Nullable String agent() {
    String agent = incoming.agent();
    return agent == null ? null : CredentialMask.maskAndCut(agent);
  }

  /** The call as its dialect sees it, once it is read. */
  DialectCall call() {
    return Objects.requireNonNull(call, "a message that was not read is no call");
  }

  boolean isRead() {
    return call != null;
  }

  /** The caller's name, empty until it is identified. */
  String principalName() {
    return principalName;
  }

  void identify(String name) {
    principalName = name;
  }

  /** What the call is decided by, absent until that is known. */
  @Nullable Intent intent() {
    return intent;
  }

  /**
   * What the call wants to act on, even if it is refused before a gate decides; absent for none.
   */
  Intent.@Nullable Act wantedAct() {
    return wantedAct;
  }

  /** Takes what the call wants, as its dialect reads it. */
  void want(Intent wanted) {
    wantedAct = wanted instanceof Intent.Act act ? act : null;
  }

  /** Takes what the call is decided by. */
  void decideBy(Intent checked) {
    intent = checked;
    if (checked instanceof Intent.Act act) {
      wantedAct = act;
    }
  }
}
