package gatebook.api.signon;

import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.JWKSetUnavailableException;
import com.nimbusds.jose.util.JSONObjectUtils;
import gatebook.api.upstream.http.ConnectionPool;
import gatebook.api.upstream.http.ExchangeResult;
import gatebook.api.upstream.http.SingleRequests;
import gatebook.api.upstream.http.SseListener;
import gatebook.api.upstream.http.Timeouts;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;

/** Reads the documents that issuers publish, and posts to them. Redirects are not followed. */
final class IssuerDocuments implements AutoCloseable {
  private static final int OK = 200;

  /** Connections keep their own times; this is for what they do not count. */
  private static final long GRACE_MILLIS = 1_000;

  private final SingleRequests requests = new SingleRequests();
  private final CompletableFuture<ExchangeResult> closed = new CompletableFuture<>();

  /** The key set of an issuer as it is now. Blocks, but no longer than the settings say. */
  JWKSet keys(KeySettings settings) throws JWKSetUnavailableException {
    URI address =
        settings.keys().isPresent() ? settings.keys().get() : keysOf(metadata(settings), settings);
    String text = text(address, settings);
    try {
      return JWKSet.parse(text);
    } catch (ParseException e) {
      throw unavailable("%s is no key set: %s".formatted(address, e.getMessage()));
    }
  }

  /** The metadata of an issuer, which must be its own. */
  Map<String, Object> metadata(KeySettings settings) throws JWKSetUnavailableException {
    String text = text(settings.metadata(), settings);
    try {
      Map<String, Object> metadata = JSONObjectUtils.parse(text);
      if (!settings.issuer().equals(metadata.get("issuer"))) {
        throw unavailable(
            "%s is the metadata of another issuer than '%s'"
                .formatted(settings.metadata(), settings.issuer()));
      }
      return metadata;
    } catch (ParseException e) {
      throw unavailable("%s is no metadata: %s".formatted(settings.metadata(), e.getMessage()));
    }
  }

  /** Keys come by TLS when the metadata does. */
  private static URI keysOf(Map<String, Object> metadata, KeySettings settings)
      throws JWKSetUnavailableException {
    try {
      URI address = URI.create(String.valueOf(metadata.get("jwks_uri")));
      if (address.getHost() != null
          && ("https".equalsIgnoreCase(address.getScheme())
              || "http".equalsIgnoreCase(settings.metadata().getScheme()))) {
        return address;
      }
    } catch (IllegalArgumentException _) {
      // the same as none
    }
    throw unavailable("%s has no usable jwks_uri".formatted(settings.metadata()));
  }

  private String text(URI address, KeySettings settings) throws JWKSetUnavailableException {
    HttpHeaders headers = DefaultHttpHeadersFactory.headersFactory().newHeaders();
    headers.set(HttpHeaderNames.ACCEPT, "application/json");
    ExchangeResult result =
        send(
            address,
            settings,
            (pool, timeouts) ->
                pool.send(HttpMethod.GET, headers, timeouts, IssuerDocuments::refuse));
    if (!(result instanceof ExchangeResult.Answered(int status, _, byte[] body))) {
      throw unavailable("%s: %s".formatted(address, result.failure().orElse("")));
    }
    if (status != OK) {
      throw unavailable("%s answered with the status %d".formatted(address, status));
    }
    return new String(body, StandardCharsets.UTF_8);
  }

  /** Posts to an address of an issuer. Blocks, but no longer than the settings say. */
  ExchangeResult post(URI address, HttpHeaders headers, byte[] body, KeySettings settings)
      throws JWKSetUnavailableException {
    return send(
        address,
        settings,
        (pool, timeouts) -> pool.post(headers, body, timeouts, IssuerDocuments::refuse));
  }

  private ExchangeResult send(
      URI address,
      KeySettings settings,
      BiFunction<ConnectionPool, Timeouts, CompletableFuture<ExchangeResult>> request)
      throws JWKSetUnavailableException {
    long millis = settings.answerMillisMax();
    Timeouts timeouts = new Timeouts(millis, millis, millis, millis);
    return awaited(
        requests.send(
            address,
            SingleRequests.limits(
                millis,
                settings.connectMillisMax(),
                settings.headerBytesMax(),
                settings.answerBytesMax()),
            settings.tls(),
            (ConnectionPool pool) -> request.apply(pool, timeouts)),
        millis);
  }

  private ExchangeResult awaited(CompletableFuture<ExchangeResult> sent, long millis)
      throws JWKSetUnavailableException {
    try {
      return sent.applyToEither(closed, it -> it).get(millis + GRACE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw unavailable("this node stops");
    } catch (TimeoutException _) {
      throw unavailable("no answer within %d ms".formatted(millis));
    } catch (ExecutionException e) {
      throw unavailable("the request failed: " + e.getCause());
    }
  }

  /** No document is a stream of events. */
  private static CompletableFuture<Boolean> refuse(SseListener.Event event) {
    return SseListener.ANSWERED;
  }

  private static JWKSetUnavailableException unavailable(String sentence) {
    return new JWKSetUnavailableException(sentence);
  }

  @Override
  public void close() {
    closed.complete(new ExchangeResult.NotConnected("this node stops"));
    requests.close();
  }
}
