package gatebook.api.upstream.source;

import gatebook.api.rpc.ResponseReader;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.http.ConnectionPool;
import gatebook.api.upstream.http.Timeouts;
import gatebook.api.upstream.mcp.CallTargets;
import gatebook.api.upstream.mcp.InputRequestBridge;
import gatebook.api.upstream.mcp.LegacyListenBridge;
import gatebook.api.upstream.mcp.StatelessMeta;
import gatebook.api.upstream.mcp.ToolListPages;
import gatebook.command.rules.Source;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A source that is asked with JSON-RPC over HTTP, by whoever has no conversation with it. */
final class HttpUpstream implements Upstream.Defined {

  private final Source source;
  private final HttpRequests httpRequests;
  private final RevisionNegotiation revisionNegotiation;

  HttpUpstream(
      Source source,
      ConnectionPool connectionPool,
      Timeouts timeouts,
      ResponseReader reader,
      UpstreamMeters meters,
      InstantSource clock) {
    this.source = source;
    this.httpRequests =
        new HttpRequests(this, source, connectionPool, timeouts, reader, meters, clock);
    this.revisionNegotiation = new RevisionNegotiation(httpRequests);
  }

  @Override
  public Source definition() {
    return source;
  }

  @Override
  public CompletableFuture<Response> call(Call call, Aside aside) {
    return isMcp()
        ? revisionNegotiation.before(call, protocolMode -> between(protocolMode, call, aside))
        : send(new ProtocolMode.Bare(), null, call, aside);
  }

  /** A caller whose requests say all there is to know may ask one who only shakes hands. */
  private CompletableFuture<Response> between(ProtocolMode protocolMode, Call call, Aside aside) {
    if (!(protocolMode instanceof ProtocolMode.Agreed agreed) || !StatelessMeta.isOf(call)) {
      return call(protocolMode, call, aside);
    }
    if (call.method().equals("server/discover")) {
      return CompletableFuture.completedFuture(
          new Ended.Result(StatelessMeta.discovered(agreed.introduction()), false));
    }
    if (call.method().equals(CallTargets.LISTEN)) {
      return LegacyListenBridge.of(revisionNegotiation.openOurselves(this), call, aside);
    }
    CompletableFuture<Response> response = call(protocolMode, call, aside);
    CompletableFuture<Response> completed =
        response.thenApply(
            it -> it instanceof Ended ended ? StatelessMeta.complete(call.method(), ended) : it);
    CompletableFuture<Response> _ =
        completed.whenComplete((_, failure) -> {
          if (failure != null) {
            response.cancel(false);
          }
        });
    return completed;
  }

  private CompletableFuture<Response> call(ProtocolMode protocolMode, Call call, Aside aside) {
    if (protocolMode instanceof ProtocolMode.Stateless
        && !call.notification()
        && !StatelessMeta.isOf(call)) {
      return InputRequestBridge.of(this)
          .after(send(protocolMode, call.id(), call, aside), call, Aside.NOBODY);
    }
    String own = protocolMode instanceof ProtocolMode.Stateless ? call.id() : null;
    CompletableFuture<Response> response = send(protocolMode, own, call, aside);
    CompletableFuture<Response> _ =
        response.whenComplete((how, _) -> {
          if (how != null && HttpRequests.isOfNoSession(how)) {
            revisionNegotiation.forget(protocolMode);
          }
        });
    return response;
  }

  /** Ids are ours where no two callers' may be the same. */
  private CompletableFuture<Response> send(
      ProtocolMode protocolMode, @Nullable String id, Call call, Aside aside) {
    String unique = id == null ? httpRequests.newId() : id;
    return httpRequests.send(
        protocolMode, call, httpRequests.answers(call.notification() ? null : unique, aside));
  }

  @Override
  public CompletableFuture<Opening> open(Introduction introduction) {
    return isMcp()
        ? revisionNegotiation.open(introduction, this)
        : CompletableFuture.completedFuture(new Opening.None());
  }

  @Override
  public CompletableFuture<Listing> tools() {
    return isMcp()
        ? new ToolListPages(this).all()
        : CompletableFuture.completedFuture(new Listing.Tools(List.of()));
  }

  private boolean isMcp() {
    return source.kind() == Source.Kind.MCP;
  }
}
