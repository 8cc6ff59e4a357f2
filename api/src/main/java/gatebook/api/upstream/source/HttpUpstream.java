package gatebook.api.upstream.source;

import gatebook.api.rpc.ResponseReader;
import gatebook.api.upstream.CancellableStep;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.http.ConnectionPool;
import gatebook.api.upstream.http.Timeouts;
import gatebook.api.upstream.mcp.InputRequestBridge;
import gatebook.api.upstream.mcp.LegacyListenBridge;
import gatebook.api.upstream.mcp.McpMethod;
import gatebook.api.upstream.mcp.StatelessMeta;
import gatebook.api.upstream.mcp.ToolListPages;
import gatebook.command.rules.Source;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** An upstream over HTTP, for callers without a session. */
final class HttpUpstream implements Upstream.Defined {

  private final Source source;
  private final HttpRequests httpRequests;
  private final RevisionNegotiation revisionNegotiation;

  /** {@code clientInfo} is Gatebook as a client, as the text of an object. */
  HttpUpstream(
      Source source,
      ConnectionPool connectionPool,
      Timeouts timeouts,
      ResponseReader reader,
      UpstreamMeters meters,
      InstantSource clock,
      String clientInfo) {
    this.source = source;
    this.httpRequests =
        new HttpRequests(this, source, connectionPool, timeouts, reader, meters, clock, clientInfo);
    this.revisionNegotiation = new RevisionNegotiation(httpRequests);
  }

  @Override
  public Source definition() {
    return source;
  }

  @Override
  public CompletableFuture<Response> call(Call call, MessageListener listener) {
    return isMcp()
        ? revisionNegotiation.callNegotiated(
            call, protocolMode -> translated(protocolMode, call, listener))
        : send(new ProtocolMode.Bare(), null, call, listener);
  }

  /** Translates for a stateless caller when the source has sessions. */
  private CompletableFuture<Response> translated(
      ProtocolMode protocolMode, Call call, MessageListener listener) {
    if (!(protocolMode instanceof ProtocolMode.Negotiated negotiated)
        || !StatelessMeta.isStateless(call)) {
      return call(protocolMode, call, listener);
    }
    if (call.method().equals(McpMethod.SERVER_DISCOVER)) {
      return CompletableFuture.completedFuture(
          new Ended.Result(StatelessMeta.discoverResult(negotiated.initializeResult()), false));
    }
    if (call.method().equals(McpMethod.SUBSCRIPTIONS_LISTEN)) {
      return LegacyListenBridge.listen(revisionNegotiation.openOwnSession(this), call, listener);
    }
    return CancellableStep.after(
        call(protocolMode, call, listener),
        response ->
            response instanceof Ended ended
                ? StatelessMeta.complete(call.method(), ended)
                : response);
  }

  private CompletableFuture<Response> call(
      ProtocolMode protocolMode, Call call, MessageListener listener) {
    if (protocolMode instanceof ProtocolMode.Stateless
        && !call.notification()
        && !StatelessMeta.isStateless(call)) {
      return InputRequestBridge.of(this)
          .resolve(send(protocolMode, call.id(), call, listener), call, MessageListener.NONE);
    }
    String callId = protocolMode instanceof ProtocolMode.Stateless ? call.id() : null;
    CompletableFuture<Response> response = send(protocolMode, callId, call, listener);
    CompletableFuture<Response> _ =
        response.whenComplete((ended, _) -> {
          if (ended != null && HttpSession.isUnknown(ended)) {
            revisionNegotiation.forget(protocolMode);
          }
        });
    return response;
  }

  /** Sends with the given id, or with a new one where ids of several callers could collide. */
  private CompletableFuture<Response> send(
      ProtocolMode protocolMode, @Nullable String id, Call call, MessageListener listener) {
    String unique = id == null ? httpRequests.newId() : id;
    return httpRequests.send(
        protocolMode, call, httpRequests.answersTo(call.notification() ? null : unique, listener));
  }

  @Override
  public CompletableFuture<Opening> open(InitializeRequest initializeRequest) {
    return isMcp()
        ? revisionNegotiation.open(initializeRequest, this)
        : CompletableFuture.completedFuture(new Opening.None());
  }

  @Override
  public CompletableFuture<Listing> listTools() {
    return isMcp()
        ? new ToolListPages(this).fetchAll()
        : CompletableFuture.completedFuture(new Listing.Tools(List.of()));
  }

  private boolean isMcp() {
    return source.kind() == Source.Kind.MCP;
  }
}
