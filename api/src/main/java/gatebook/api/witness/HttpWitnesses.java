package gatebook.api.witness;

import gatebook.api.upstream.http.ConnectionLimits;
import gatebook.api.upstream.http.ConnectionPool;
import gatebook.api.upstream.http.ExchangeResult;
import gatebook.api.upstream.http.SingleRequests;
import gatebook.api.upstream.http.SseListener;
import gatebook.api.upstream.http.Timeouts;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import gatebook.events.journal.witness.WitnessConnection;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.net.URI;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/** Asks witnesses over HTTP. */
final class HttpWitnesses implements WitnessConnection, AutoCloseable {
  private static final String STOPS = "this node stops";
  private static final String TEXT = "text/plain; charset=utf-8";

  /** What a request may take beyond its limit until its result is here. */
  private static final long GRACE_MILLIS = 1_000;

  private final SingleRequests requests = new SingleRequests();
  private final Supplier<GatewayLimits> limits;
  private final CompletableFuture<ExchangeResult> closed = new CompletableFuture<>();

  HttpWitnesses(Supplier<GatewayLimits> limits) {
    this.limits = limits;
  }

  @Override
  public Response post(URI url, byte[] body) {
    HttpHeaders headers = DefaultHttpHeadersFactory.headersFactory().newHeaders();
    headers.set(HttpHeaderNames.CONTENT_TYPE, TEXT);
    return send(url, (pool, timeouts) -> pool.post(headers, body, timeouts, HttpWitnesses::refuse));
  }

  @Override
  public Response get(URI url) {
    HttpHeaders headers = DefaultHttpHeadersFactory.headersFactory().newHeaders();
    return send(
        url,
        (pool, timeouts) -> pool.send(HttpMethod.GET, headers, timeouts, HttpWitnesses::refuse));
  }

  /** No answer of a witness is a stream of events. */
  private static CompletableFuture<Boolean> refuse(SseListener.Event event) {
    return SseListener.ANSWERED;
  }

  private Response send(
      URI url, BiFunction<ConnectionPool, Timeouts, CompletableFuture<ExchangeResult>> request) {
    GatewayLimits now = limits.get();
    long millis = now.get(Limit.WITNESS_ANSWER_MILLIS_MAX);
    ConnectionLimits connectionLimits =
        SingleRequests.limits(
            millis,
            now.get(Limit.CONNECT_MILLIS_MAX),
            now.getInt(Limit.HEADER_BYTES_MAX),
            now.get(Limit.WITNESS_ANSWER_BYTES_MAX));
    Timeouts timeouts = new Timeouts(millis, millis, millis, millis);
    try {
      return response(
          requests
              .send(url, connectionLimits, pool -> request.apply(pool, timeouts))
              .applyToEither(closed, Function.identity())
              .get(millis + GRACE_MILLIS, TimeUnit.MILLISECONDS));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return new Response.Failed(STOPS);
    } catch (TimeoutException _) {
      return new Response.Failed("it did not answer within %d ms".formatted(millis));
    } catch (ExecutionException e) {
      return new Response.Failed("the request failed: " + e.getCause());
    }
  }

  private static Response response(ExchangeResult exchangeResult) {
    return switch (exchangeResult) {
      case ExchangeResult.Answered(int status, HttpHeaders headers, byte[] body) ->
          new Response.Answered(status, headers.get(HttpHeaderNames.CONTENT_TYPE, ""), body);
      case ExchangeResult.NotConnected(String reason) -> new Response.Failed(reason);
      case ExchangeResult.Overloaded() -> new Response.Failed("it is asked already");
      case ExchangeResult.TimedOut(long millisMax) ->
          new Response.Failed("it did not answer within %d ms".formatted(millisMax));
      case ExchangeResult.Broken(ExchangeResult.Defect defect) ->
          new Response.Failed(defect.words());
    };
  }

  /** Nobody waits for an answer any longer. */
  @Override
  public void close() {
    closed.complete(new ExchangeResult.NotConnected(STOPS));
    requests.close();
  }
}
