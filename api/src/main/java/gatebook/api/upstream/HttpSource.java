package gatebook.api.upstream;

import gatebook.api.rpc.ResponseReader;
import gatebook.api.upstream.http.Line;
import gatebook.api.upstream.http.Patience;
import gatebook.command.rules.Source;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A source that is asked with JSON-RPC over HTTP, by whoever has no conversation with it. */
final class HttpSource implements Upstream.Defined {

  private final Source source;
  private final Requests requests;
  private final Handshake handshake;

  HttpSource(
      Source source,
      Line line,
      Patience patience,
      ResponseReader reader,
      SourceMeters meters,
      InstantSource clock) {
    this.source = source;
    this.requests = new Requests(this, source, line, patience, reader, meters, clock);
    this.handshake = new Handshake(requests);
  }

  @Override
  public Source definition() {
    return source;
  }

  @Override
  public CompletableFuture<Response> call(Call call, Aside aside) {
    return isMcp()
        ? handshake.before(call, talk -> between(talk, call, aside))
        : send(new Talk.Bare(), null, call, aside);
  }

  /** A caller whose requests say all there is to know may ask one who only shakes hands. */
  private CompletableFuture<Response> between(Talk talk, Call call, Aside aside) {
    if (!(talk instanceof Talk.Agreed agreed) || !Stateless.isOf(call)) {
      return call(talk, call, aside);
    }
    if (call.method().equals("server/discover")) {
      return CompletableFuture.completedFuture(
          new Ended.Result(Stateless.discovered(agreed.introduction()), false));
    }
    if (call.method().equals(Names.LISTEN)) {
      return Overhearing.of(handshake.openOurselves(this), call, aside);
    }
    CompletableFuture<Response> response = call(talk, call, aside);
    CompletableFuture<Response> completed =
        response.thenApply(
            it -> it instanceof Ended ended ? Stateless.complete(call.method(), ended) : it);
    CompletableFuture<Response> _ =
        completed.whenComplete((_, failure) -> {
          if (failure != null) {
            response.cancel(false);
          }
        });
    return completed;
  }

  private CompletableFuture<Response> call(Talk talk, Call call, Aside aside) {
    if (talk instanceof Talk.Stateless && !call.notification() && !Stateless.isOf(call)) {
      return Interview.of(this).after(send(talk, call.id(), call, aside), call, Aside.NOBODY);
    }
    String own = talk instanceof Talk.Stateless ? call.id() : null;
    CompletableFuture<Response> response = send(talk, own, call, aside);
    CompletableFuture<Response> _ =
        response.whenComplete((how, _) -> {
          if (how != null && Requests.isOfNoSession(how)) {
            handshake.forget(talk);
          }
        });
    return response;
  }

  /** Ids are ours where no two callers' may be the same. */
  private CompletableFuture<Response> send(Talk talk, @Nullable String id, Call call, Aside aside) {
    String unique = id == null ? requests.newId() : id;
    return requests.send(talk, call, requests.answers(call.notification() ? null : unique, aside));
  }

  @Override
  public CompletableFuture<Opening> open(Introduction introduction) {
    return isMcp()
        ? handshake.open(introduction, this)
        : CompletableFuture.completedFuture(new Opening.None());
  }

  @Override
  public CompletableFuture<Listing> tools() {
    return isMcp()
        ? new ToolPages(this).all()
        : CompletableFuture.completedFuture(new Listing.Tools(List.of()));
  }

  private boolean isMcp() {
    return source.kind() == Source.Kind.MCP;
  }
}
