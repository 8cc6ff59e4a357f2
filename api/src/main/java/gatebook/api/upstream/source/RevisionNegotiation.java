package gatebook.api.upstream.source;

import static gatebook.api.rpc.JsonStrings.quoted;

import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.DeferredCall;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Call;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.Upstream.InitializeRequest;
import gatebook.api.upstream.Upstream.MessageListener;
import gatebook.api.upstream.Upstream.Opening;
import gatebook.api.upstream.Upstream.Response;
import gatebook.api.upstream.mcp.InputRequestBridge;
import gatebook.api.upstream.mcp.McpMethod;
import gatebook.api.upstream.mcp.McpRevisions;
import gatebook.api.upstream.mcp.StatelessMeta;
import gatebook.events.fault.UpstreamFault.UpstreamError;
import gatebook.events.fault.UpstreamFault.UpstreamTimeout;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Negotiates the protocol revision with a source before the first call, and keeps the result until
 * the source no longer knows the session.
 */
final class RevisionNegotiation {

  private static final String ID = "\"gatebook\"";
  private static final String VERSION = "protocolVersion";

  /** How long a source may take for {@code server/discover} before it gets {@code initialize}. */
  private static final long PROBE_MILLIS = 3_000;

  private final HttpRequests httpRequests;

  private final AtomicReference<@Nullable CompletableFuture<Outcome>> negotiated =
      new AtomicReference<>();

  RevisionNegotiation(HttpRequests httpRequests) {
    this.httpRequests = httpRequests;
  }

  /** The outcome of a negotiation. */
  private sealed interface Outcome {
    record Done(ProtocolMode mode) implements Outcome {}

    /** The mode is unknown because the source did not answer. */
    record Failed(Response response) implements Outcome {}
  }

  /**
   * Makes a call once its mode is negotiated. A failed negotiation is the response to the call, of
   * which nothing was written.
   */
  CompletableFuture<Response> callNegotiated(
      Call call, Function<ProtocolMode, CompletableFuture<Response>> attempt) {
    return DeferredCall.call(negotiated(), outcome -> callOrFail(outcome, attempt));
  }

  private CompletableFuture<Response> callOrFail(
      Outcome outcome, Function<ProtocolMode, CompletableFuture<Response>> attempt) {
    return switch (outcome) {
      case Outcome.Done(var protocolMode) -> attempt.apply(protocolMode);
      case Outcome.Failed(var response) ->
          CompletableFuture.completedFuture(httpRequests.countUnsent(response));
    };
  }

  /** Negotiates again before the next call: the source no longer knows the session. */
  void forget(ProtocolMode protocolMode) {
    if (protocolMode instanceof ProtocolMode.Negotiated(_, var sessionId, _) && sessionId != null) {
      negotiated.set(null);
    }
  }

  /** Asks for the stateless revisions first, since only the others negotiate. */
  private CompletableFuture<Outcome> negotiated() {
    return once(
        negotiated,
        () ->
            discover(PROBE_MILLIS)
                .thenCompose(discovery ->
                    switch (discovery) {
                      case Discovery.Yes _ -> done(new ProtocolMode.Stateless());
                      case Discovery.Unknown(var response) when isUnavailable(response) ->
                          failed(response);
                      case Discovery.No _, Discovery.Unknown _ ->
                          initialize(ownRequest())
                              .thenCompose(initialization -> complete(initialization, discovery));
                    }));
  }

  /** Whether the source would not answer another request either. */
  private static boolean isUnavailable(Response response) {
    return switch (response) {
      case Ended.Failure(UpstreamError _), Ended.Failure(UpstreamTimeout _) -> false;
      case Ended _, Response.NotConnected _, Response.Resend _ -> true;
    };
  }

  /** The request of Gatebook for itself. */
  private InitializeRequest ownRequest() {
    return new InitializeRequest(
        "{\"protocolVersion\":%s,\"capabilities\":{},\"clientInfo\":%s}"
            .formatted(quoted(McpRevisions.NEGOTIATED.getFirst()), httpRequests.clientInfo()),
        Map.of());
  }

  /** Runs at most one negotiation at a time, and keeps only a successful one. */
  private static CompletableFuture<Outcome> once(
      AtomicReference<@Nullable CompletableFuture<Outcome>> latest,
      Supplier<CompletableFuture<Outcome>> negotiation) {
    CompletableFuture<Outcome> fresh = new CompletableFuture<>();
    CompletableFuture<Outcome> running = latest.compareAndExchange(null, fresh);
    if (running != null) {
      return running;
    }
    CompletableFuture<Outcome> _ =
        CompletableFuture.completedFuture(negotiation)
            .thenCompose(Supplier::get) // an exception ends it too
            .whenComplete((outcome, failure) -> {
              if (failure != null || outcome instanceof Outcome.Failed) {
                latest.compareAndSet(fresh, null);
              }
              if (failure != null) {
                fresh.completeExceptionally(failure);
              } else {
                fresh.complete(outcome);
              }
            });
    return fresh;
  }

  /** The outcome of {@code initialize}. */
  private sealed interface Initialization {
    record Initialized(ProtocolMode.Negotiated mode, String json) implements Initialization {}

    /** It answered something other than a result of {@code initialize}. */
    record Refused(Response response) implements Initialization {}

    record Unknown(Response response) implements Initialization {}
  }

  private CompletableFuture<Initialization> initialize(InitializeRequest initializeRequest) {
    HttpAnswers httpAnswers = httpRequests.answersTo(ID, MessageListener.NONE);
    Call call =
        call(McpMethod.INITIALIZE, initializeRequest.params(), false, initializeRequest.headers());
    return httpRequests
        .sendUncounted(new ProtocolMode.Bare(), call, httpAnswers)
        .thenApply(response -> initialized(response, httpAnswers.sessionId()));
  }

  private static Initialization initialized(Response response, @Nullable String sessionId) {
    if (isNoAnswer(response)) {
      return new Initialization.Unknown(response);
    }
    Optional<Initialization> initialization =
        response instanceof Ended.Result(var json, _, _)
            ? ObjectMembers.of(json)
                .text(VERSION)
                .map(version ->
                    new Initialization.Initialized(
                        new ProtocolMode.Negotiated(version, sessionId, json), json))
            : Optional.empty();
    return initialization.orElseGet(() -> new Initialization.Refused(response));
  }

  /** No HTTP answer at all; after any HTTP answer another revision can be tried. */
  private static boolean isNoAnswer(Response response) {
    return switch (response) {
      case Ended.Failure(UpstreamError error) -> error.httpStatus() == null;
      case Ended.Failure _, Response.NotConnected _ -> true;
      case Ended _, Response.Resend _ -> false;
    };
  }

  private CompletableFuture<Outcome> complete(Initialization initialization, Discovery discovery) {
    return switch (initialization) {
      case Initialization.Initialized(var mode, _) ->
          httpRequests
              .sendUncounted(
                  mode,
                  call(McpMethod.NOTIFICATIONS_INITIALIZED, null, true, Map.of()),
                  httpRequests.answersTo(null, MessageListener.NONE))
              .thenCompose(_ -> done(mode));
      case Initialization.Refused(Ended.Result _) -> done(new ProtocolMode.Bare());
      case Initialization.Refused _ when discovery instanceof Discovery.No ->
          done(new ProtocolMode.Bare());
      case Initialization.Refused _ ->
          discover(Long.MAX_VALUE)
              .thenCompose(again ->
                  done(
                      again instanceof Discovery.Yes
                          ? new ProtocolMode.Stateless()
                          : new ProtocolMode.Bare()));
      case Initialization.Unknown(var response) -> failed(response);
    };
  }

  /** Whether a source supports the stateless revisions. */
  private sealed interface Discovery {
    record Yes(Optional<String> json) implements Discovery {}

    record No() implements Discovery {}

    record Unknown(Response response) implements Discovery {}
  }

  private CompletableFuture<Discovery> discover(long millisMax) {
    return httpRequests
        .sendUncounted(
            new ProtocolMode.Stateless(),
            call(McpMethod.SERVER_DISCOVER, null, false, Map.of()),
            httpRequests.answersTo(ID, MessageListener.NONE),
            millisMax)
        .thenApply(RevisionNegotiation::discovery);
  }

  private static Discovery discovery(Response response) {
    if (isNoAnswer(response)) {
      return new Discovery.Unknown(response);
    }
    return switch (response) {
      case Ended.Result(var json, _, _)
          when ObjectMembers.of(json).json("supportedVersions").isPresent() ->
          new Discovery.Yes(Optional.of(json));
      case Ended.ForeignError error when isStatelessError(error.code()) ->
          new Discovery.Yes(Optional.empty());
      case Response _ -> new Discovery.No();
    };
  }

  private static boolean isStatelessError(@Nullable Integer code) {
    return code != null && code <= -32_020 && code >= -32_022;
  }

  /** Opens a session with the initialize request of a client, and counts it if that fails. */
  CompletableFuture<Opening> open(InitializeRequest initializeRequest, Upstream upstream) {
    return httpRequests.countFailed(() -> handshake(initializeRequest, upstream));
  }

  private CompletableFuture<Opening> handshake(
      InitializeRequest initializeRequest, Upstream upstream) {
    return initialize(initializeRequest)
        .thenCompose(initialization ->
            switch (initialization) {
              case Initialization.Initialized(var mode, var json) ->
                  CompletableFuture.completedFuture(
                      new Opening.Opened(
                          new HttpSession(
                              upstream,
                              httpRequests,
                              mode,
                              InputRequestBridge.of(upstream),
                              json)));
              case Initialization.Refused(var response) ->
                  openStateless(initializeRequest, upstream, response);
              case Initialization.Unknown(var response) ->
                  CompletableFuture.completedFuture(new Opening.Failed(response));
            });
  }

  /** Opens a session for a caller that has none, with Gatebook as its client. */
  CompletableFuture<Opening> openOwnSession(Upstream upstream) {
    return open(ownRequest(), upstream);
  }

  private CompletableFuture<Opening> openStateless(
      InitializeRequest initializeRequest, Upstream upstream, Response refused) {
    return discover(Long.MAX_VALUE)
        .thenApply(discovery ->
            discovery instanceof Discovery.Yes(var json) && json.isPresent()
                ? new Opening.Opened(
                    new HttpSession(
                        upstream,
                        httpRequests,
                        new ProtocolMode.Stateless(),
                        new InputRequestBridge(
                            upstream.source(),
                            initializeRequest.params(),
                            httpRequests.streamMillis()),
                        StatelessMeta.initializeResult(json.get(), initializeRequest.params())))
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
