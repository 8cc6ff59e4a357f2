package gatebook.api.upstream.source;

import gatebook.api.rpc.MessageReader;
import gatebook.api.rpc.ResponseReader;
import gatebook.api.rpc.RpcMessage;
import gatebook.api.rpc.RpcResponse;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.Upstream.MessageListener;
import gatebook.api.upstream.Upstream.Response;
import gatebook.api.upstream.http.ExchangeResult;
import gatebook.api.upstream.http.ExchangeResult.Defect;
import gatebook.api.upstream.http.ResponseHeaders;
import gatebook.api.upstream.http.SseListener;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Misdirected.Limit;
import gatebook.events.fault.Misdirected.RateLimited;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import gatebook.events.fault.UpstreamFault.UpstreamError;
import gatebook.events.fault.UpstreamFault.UpstreamTimeout;
import io.netty.handler.codec.http.HttpHeaders;
import java.time.InstantSource;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Interprets the HTTP answer to one request, as a body or as a stream of events. */
final class HttpAnswers implements SseListener {

  /** The id for a stream that contains no response. */
  static final String NO_ID = "";

  private static final int OK = 200;
  private static final int MULTIPLE_CHOICES = 300;
  private static final int BAD_REQUEST = 400;
  private static final int TOO_MANY_REQUESTS = 429;
  private static final int SERVICE_UNAVAILABLE = 503;

  private final Upstream upstream;
  private final ResponseReader reader;
  private final @Nullable String id;
  private final MessageListener listener;
  private final InstantSource clock;
  private final ResumedStreamDeadline deadline = new ResumedStreamDeadline();

  /** The event of a stream that answered the request. */
  private volatile @Nullable RpcResponse streamed;

  private volatile boolean asked;

  /** The last event id of the stream, and when to resume the stream from it. */
  private volatile @Nullable String lastEventId;

  private volatile @Nullable Long retryMillis;

  private volatile @Nullable String sessionId;

  /** Whether the request was written. */
  private boolean written;

  /** Whether the answer arrived, or nobody waits for it any longer. */
  private boolean over;

  /**
   * Waits for the answer to one request.
   *
   * @param id the token of the request's id; absent for a notification
   */
  HttpAnswers(
      Upstream upstream,
      ResponseReader reader,
      @Nullable String id,
      MessageListener listener,
      InstantSource clock) {
    this.upstream = upstream;
    this.reader = reader;
    this.id = id;
    this.listener = listener;
    this.clock = clock;
  }

  @Override
  public synchronized boolean beforeWrite() {
    written |= !over;
    return !over;
  }

  /**
   * Stops waiting for the answer, and prevents a write from now on. True once, if the request was
   * written and not answered.
   */
  synchronized boolean abandon() {
    boolean isUnanswered = written && !over;
    over = true;
    return isUnanswered;
  }

  /** Passes requests and notifications to the listener, and ignores responses with other ids. */
  @Override
  public CompletableFuture<Boolean> take(Event event) {
    lastEventId = event.id();
    retryMillis = event.retryMillis();
    if (event.id() != null && event.data().length == 0) {
      listener.onEventId();
    }
    if (id == null || event.data().length == 0) {
      return GO_ON;
    }
    return switch (reader.read(event.data(), id)) {
      case RpcResponse.Other(_, boolean call) -> {
        asked |= isRequest(event.data());
        deadline.beginMessage();
        yield call
            ? listener.onMessage(event.data()).thenApply(_ -> goOn())
            : CompletableFuture.completedFuture(goOn());
      }
      case RpcResponse answer -> {
        streamed = answer;
        boolean _ = abandon();
        yield ANSWERED;
      }
    };
  }

  private static boolean isRequest(byte[] message) {
    return MessageReader.ofSource(MessageReader.DEPTH_MAX).read(message)
        instanceof RpcMessage.Request;
  }

  /** Whether the source asked its caller something. */
  @Override
  public boolean hasAsked() {
    return asked;
  }

  private boolean goOn() {
    deadline.endMessage();
    return false;
  }

  /** The deadline of the answer once its stream was cut. */
  ResumedStreamDeadline deadline() {
    return deadline;
  }

  void notifyPause(long millis) {
    listener.onPause(millis);
  }

  /** The token of the request's id; absent for a notification. */
  @Nullable String id() {
    return id;
  }

  /** The id of the last event; empty when the server sends none. */
  String lastEventId() {
    String last = lastEventId;
    return last == null ? "" : last;
  }

  /** The id of the session that the answer opened; absent when there is none. */
  @Nullable String sessionId() {
    return sessionId;
  }

  OptionalLong retryMillis() {
    Long millis = retryMillis;
    return millis == null ? OptionalLong.empty() : OptionalLong.of(millis);
  }

  Response response(ExchangeResult exchangeResult) {
    if (!(exchangeResult instanceof ExchangeResult.TimedOut)) {
      boolean _ = abandon(); // after a timeout the source may still be at work
    }
    return switch (exchangeResult) {
      case ExchangeResult.NotConnected(var reason) -> new Response.NotConnected(reason);
      case ExchangeResult.Overloaded() ->
          failure(new ServiceUnavailable(Cause.UPSTREAM_QUEUE_FULL, null));
      case ExchangeResult.TimedOut(long millisMax) ->
          failure(new UpstreamTimeout(upstream.source(), upstream.endpoint(), millisMax));
      case ExchangeResult.Broken(var defect) when defect == Defect.NO_MEMORY ->
          failure(new ServiceUnavailable(Cause.ANSWER_DROPPED, null));
      case ExchangeResult.Broken(var defect) -> error(defect.words(), null);
      case ExchangeResult.Answered answered -> {
        sessionId = answered.headers().get(HttpRequests.SESSION);
        yield id == null ? accepted(answered) : answer(answered, id);
      }
    };
  }

  private Response accepted(ExchangeResult.Answered answered) {
    return answered.status() < MULTIPLE_CHOICES
        ? new Ended.Accepted()
        : refused(answered.status(), answered.headers());
  }

  private Response answer(ExchangeResult.Answered answered, String requestId) {
    int status = answered.status();
    RpcResponse event = streamed;
    RpcResponse rpcResponse = event != null ? event : reader.read(answered.body(), requestId);
    return switch (rpcResponse) {
      // an error response with our id says more than the status
      case RpcResponse.RpcError(var code, var message, var data) ->
          new Ended.ForeignError(upstream.source(), code, message, data, status);
      case RpcResponse _ when status != OK -> refused(status, answered.headers());
      case RpcResponse _ when event == null && !ResponseHeaders.isJson(answered.headers()) ->
          error("the answer's media type is not JSON", status);
      case RpcResponse.Result(var json, boolean isError) -> new Ended.Result(json, isError);
      case RpcResponse.Other(var what, _) -> error("the answer is not JSON-RPC: " + what, status);
      case RpcResponse.Unreadable(var defect) ->
          error("the answer is not JSON-RPC: " + defect, status);
    };
  }

  private Response refused(int status, HttpHeaders headers) {
    return switch (status) {
      case TOO_MANY_REQUESTS ->
          failure(
              new RateLimited(Limit.UPSTREAM, ResponseHeaders.retryAfterSeconds(headers, clock)));
      case SERVICE_UNAVAILABLE ->
          failure(
              new ServiceUnavailable(
                  Cause.UPSTREAM, ResponseHeaders.retryAfterSeconds(headers, clock)));
      default -> error(words(status), status);
    };
  }

  private static String words(int status) {
    if (status < MULTIPLE_CHOICES) {
      return "no answer, but status " + status;
    }
    return status < BAD_REQUEST
        ? "a redirect, which is not followed (status %d)".formatted(status)
        : "status " + status;
  }

  private Response error(String message, @Nullable Integer httpStatus) {
    return failure(new UpstreamError(upstream.source(), null, message, null, httpStatus));
  }

  private static Response failure(Fault fault) {
    return new Ended.Failure(fault);
  }
}
