package gatebook.api.upstream.source;

import static gatebook.api.rpc.JsonStrings.quoted;

import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.DeferredCall;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Aside;
import gatebook.api.upstream.Upstream.Call;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.Upstream.Introduction;
import gatebook.api.upstream.Upstream.Opening;
import gatebook.api.upstream.Upstream.Response;
import gatebook.api.upstream.mcp.InputRequestBridge;
import gatebook.api.upstream.mcp.McpRevisions;
import gatebook.api.upstream.mcp.StatelessMeta;
import gatebook.events.fault.UpstreamFault.UpstreamError;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds out, before the first call, how a source is talked with, and keeps that until the source
 * says otherwise.
 */
final class RevisionNegotiation {

  private static final String INITIALIZE = "initialize";
  private static final String DISCOVER = "server/discover";
  private static final String ID = "\"gatebook\"";
  private static final String VERSION = "protocolVersion";

  private static final String OURSELVES =
      "{\"protocolVersion\":%s,\"capabilities\":{},\"clientInfo\":{\"name\":\"gatebook\",\"version\":\"1\"}}"
          .formatted(quoted(McpRevisions.AGREED.getFirst()));

  private final HttpRequests httpRequests;

  /** How those talk who say nothing of themselves, and those who say it with every request. */
  private final AtomicReference<@Nullable CompletableFuture<Outcome>> agreed =
      new AtomicReference<>();

  private final AtomicReference<@Nullable CompletableFuture<Outcome>> stateless =
      new AtomicReference<>();

  RevisionNegotiation(HttpRequests httpRequests) {
    this.httpRequests = httpRequests;
  }

  /** What a handshake ended in. */
  private sealed interface Outcome {
    record Done(ProtocolMode talk) implements Outcome {}

    /** Nobody knows how: the source did not answer. */
    record Failed(Response response) implements Outcome {}
  }

  /**
   * Goes on once it is known how. What kept it from being known is the call's response: of the call
   * itself nothing was written.
   */
  CompletableFuture<Response> before(
      Call call, Function<ProtocolMode, CompletableFuture<Response>> attempt) {
    return DeferredCall.call(
        StatelessMeta.isOf(call) ? stateless() : agreed(), outcome -> after(outcome, attempt));
  }

  private CompletableFuture<Response> after(
      Outcome outcome, Function<ProtocolMode, CompletableFuture<Response>> attempt) {
    return switch (outcome) {
      case Outcome.Done(var protocolMode) -> attempt.apply(protocolMode);
      case Outcome.Failed(var response) ->
          CompletableFuture.completedFuture(httpRequests.unsent(response));
    };
  }

  /** The source does not know the session any more. */
  void forget(ProtocolMode protocolMode) {
    if (protocolMode instanceof ProtocolMode.Agreed(_, var session, _) && session != null) {
      agreed.set(null);
    }
  }

  private CompletableFuture<Outcome> agreed() {
    return once(
        agreed, () -> introduce(new Introduction(OURSELVES, Map.of())).thenCompose(this::agree));
  }

  private CompletableFuture<Outcome> stateless() {
    return once(
        stateless,
        () ->
            discover()
                .thenCompose(found ->
                    switch (found) {
                      case Found.Yes _ -> done(new ProtocolMode.Stateless());
                      case Found.No _ -> agreed();
                      case Found.Unknown(var response) -> failed(response);
                    }));
  }

  /** At most one is under way, and one that came to nothing is not kept. */
  private static CompletableFuture<Outcome> once(
      AtomicReference<@Nullable CompletableFuture<Outcome>> kept,
      Supplier<CompletableFuture<Outcome>> shake) {
    CompletableFuture<Outcome> fresh = new CompletableFuture<>();
    CompletableFuture<Outcome> running = kept.compareAndExchange(null, fresh);
    if (running != null) {
      return running;
    }
    CompletableFuture<Outcome> _ =
        CompletableFuture.completedFuture(shake)
            .thenCompose(Supplier::get) // whatever it throws ends it too
            .whenComplete((outcome, failure) -> {
              if (failure != null || outcome instanceof Outcome.Failed) {
                kept.compareAndSet(fresh, null);
              }
              if (failure != null) {
                fresh.completeExceptionally(failure);
              } else {
                fresh.complete(outcome);
              }
            });
    return fresh;
  }

  /** What introducing oneself came to. */
  private sealed interface Introduced {
    record Welcome(ProtocolMode.Agreed talk, String json) implements Introduced {}

    /** It answered something else. */
    record Not(Response response) implements Introduced {}

    record Unknown(Response response) implements Introduced {}
  }

  private CompletableFuture<Introduced> introduce(Introduction introduction) {
    HttpAnswers httpAnswers = httpRequests.answers(ID, Aside.NOBODY);
    Call call = call(INITIALIZE, introduction.params(), false, introduction.headers());
    return httpRequests
        .sendUncounted(new ProtocolMode.Bare(), call, httpAnswers)
        .thenApply(response -> introduced(response, httpAnswers.session()));
  }

  private static Introduced introduced(Response response, @Nullable String session) {
    if (isNoAnswer(response)) {
      return new Introduced.Unknown(response);
    }
    Optional<Introduced> welcome =
        response instanceof Ended.Result(var json, _, _)
            ? ObjectMembers.of(json)
                .text(VERSION)
                .map(version ->
                    new Introduced.Welcome(new ProtocolMode.Agreed(version, session, json), json))
            : Optional.empty();
    return welcome.orElseGet(() -> new Introduced.Not(response));
  }

  /** Something that answers HTTP, whatever it says, can be asked otherwise. */
  private static boolean isNoAnswer(Response response) {
    return switch (response) {
      case Ended.Failure(UpstreamError error) -> error.httpStatus() == null;
      case Ended.Failure _, Response.NotConnected _ -> true;
      case Ended _, Response.Again _ -> false;
    };
  }

  private CompletableFuture<Outcome> agree(Introduced introduced) {
    return switch (introduced) {
      case Introduced.Welcome(var talk, _) ->
          httpRequests
              .sendUncounted(
                  talk,
                  call("notifications/initialized", null, true, Map.of()),
                  httpRequests.answers(null, Aside.NOBODY))
              .thenCompose(_ -> done(talk));
      case Introduced.Not(Ended.Result _) -> done(new ProtocolMode.Bare());
      case Introduced.Not _ ->
          discover()
              .thenCompose(found ->
                  done(
                      found instanceof Found.Yes
                          ? new ProtocolMode.Stateless()
                          : new ProtocolMode.Bare()));
      case Introduced.Unknown(var response) -> failed(response);
    };
  }

  /** Whether a source serves the revisions in which every request says all there is to know. */
  private sealed interface Found {
    record Yes(Optional<String> json) implements Found {}

    record No() implements Found {}

    record Unknown(Response response) implements Found {}
  }

  private CompletableFuture<Found> discover() {
    return httpRequests
        .sendUncounted(
            new ProtocolMode.Stateless(),
            call(DISCOVER, null, false, Map.of()),
            httpRequests.answers(ID, Aside.NOBODY))
        .thenApply(RevisionNegotiation::found);
  }

  private static Found found(Response response) {
    if (isNoAnswer(response)) {
      return new Found.Unknown(response);
    }
    return switch (response) {
      case Ended.Result(var json, _, _)
          when ObjectMembers.of(json).json("supportedVersions").isPresent() ->
          new Found.Yes(Optional.of(json));
      case Ended.ForeignError error when isOfStateless(error.code()) ->
          new Found.Yes(Optional.empty());
      case Response _ -> new Found.No();
    };
  }

  private static boolean isOfStateless(@Nullable Integer code) {
    return code != null && code <= -32_020 && code >= -32_022;
  }

  /** Begins a conversation with a client as it introduced itself. */
  CompletableFuture<Opening> open(Introduction introduction, Upstream upstream) {
    return introduce(introduction)
        .thenCompose(introduced ->
            switch (introduced) {
              case Introduced.Welcome(var talk, var json) ->
                  CompletableFuture.completedFuture(
                      new Opening.Opened(
                          new HttpSession(
                              upstream,
                              httpRequests,
                              talk,
                              InputRequestBridge.of(upstream),
                              json)));
              case Introduced.Not(var response) -> openStateless(introduction, upstream, response);
              case Introduced.Unknown(var response) ->
                  CompletableFuture.completedFuture(new Opening.Failed(response));
            });
  }

  /** Begins a conversation with us, on behalf of somebody who has none. */
  CompletableFuture<Opening> openOurselves(Upstream upstream) {
    return open(new Introduction(OURSELVES, Map.of()), upstream);
  }

  private CompletableFuture<Opening> openStateless(
      Introduction introduction, Upstream upstream, Response refused) {
    return discover()
        .thenApply(found ->
            found instanceof Found.Yes(var json) && json.isPresent()
                ? new Opening.Opened(
                    new HttpSession(
                        upstream,
                        httpRequests,
                        new ProtocolMode.Stateless(),
                        new InputRequestBridge(
                            upstream.source(), introduction.params(), httpRequests.streamMillis()),
                        StatelessMeta.introduction(json.get(), introduction.params())))
                : new Opening.Failed(refused));
  }

  private static Call call(
      String method, @Nullable String params, boolean notification, Map<String, String> headers) {
    return new Call(null, method, params, notification, headers);
  }

  private static CompletableFuture<Outcome> done(ProtocolMode protocolMode) {
    return CompletableFuture.completedFuture(new Outcome.Done(protocolMode));
  }

  private static CompletableFuture<Outcome> failed(Response response) {
    return CompletableFuture.completedFuture(new Outcome.Failed(response));
  }
}
