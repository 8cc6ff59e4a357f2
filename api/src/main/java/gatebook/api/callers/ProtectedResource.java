package gatebook.api.callers;

import static gatebook.api.rpc.JsonStrings.quoted;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import gatebook.api.gateway.Gateway;
import gatebook.api.gateway.message.TokenVerdict;
import gatebook.api.http.BearerChallenge;
import gatebook.api.http.Forwarding;
import gatebook.api.http.HttpError;
import gatebook.api.http.HttpErrors;
import gatebook.api.http.PublicUrls;
import gatebook.api.signon.TokenVerifier;
import gatebook.command.rules.Admission;
import gatebook.command.rules.SignOn;
import gatebook.command.rules.TokenIssuer;
import gatebook.events.fault.Misdirected.Refusal;
import gatebook.events.fault.Misdirected.Unauthorized;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The MCP path as a protected resource: tells clients where they get a token, as RFC 9728 and the
 * authorization of MCP have it.
 */
@Singleton
@Requires(beans = Gateway.class)
final class ProtectedResource {
  static final String METADATA = "/.well-known/oauth-protected-resource";
  static final String METADATA_OF_MCP = METADATA + McpPath.MCP;

  private final TokenVerifier verifier;
  private final PublicUrls publicUrls;
  private final HttpErrors errors;

  ProtectedResource(TokenVerifier verifier, PublicUrls publicUrls, HttpErrors errors) {
    this.verifier = verifier;
    this.publicUrls = publicUrls;
    this.errors = errors;
  }

  /** Answers without a token; not found where no issuer's tokens may call. */
  CompletableFuture<HttpResponse<?>> metadata(HttpRequest<?> request) {
    SignOn signOn = verifier.principals().signOn();
    return CompletableFuture.completedFuture(
        signOn.hasCallers()
            ? HttpResponse.ok(metadata(signOn, publicUrls.base(request) + McpPath.MCP))
                .contentType(MediaType.APPLICATION_JSON_TYPE)
                .header(HttpHeaders.CACHE_CONTROL, "max-age=60")
                .header(HttpHeaders.VARY, Forwarding.VARY)
            : errors.response(request, HttpError.NOT_FOUND));
  }

  private static byte[] metadata(SignOn signOn, String resource) {
    Collection<String> scopes = signOn.scopes();
    return """
    {"resource":%s,"authorization_servers":%s,"bearer_methods_supported":["header"]%s}\
    """
        .formatted(
            quoted(resource),
            list(
                signOn.issuers().stream()
                    .filter(it -> it.callers().isPresent())
                    .map(TokenIssuer::issuer)
                    .toList()),
            scopes.isEmpty() ? "" : ",\"scopes_supported\":" + list(scopes))
        .getBytes(UTF_8);
  }

  private static String list(Collection<String> texts) {
    return texts.stream().map(it -> quoted(it)).collect(joining(",", "[", "]"));
  }

  /** Adds what a client has to know to get another token, where another one is needed. */
  <T> MutableHttpResponse<T> challenge(HttpRequest<?> request, MutableHttpResponse<T> response) {
    HttpStatus status = response.status();
    return status != HttpStatus.UNAUTHORIZED && status != HttpStatus.FORBIDDEN
        ? response
        : challenge(request, status)
            .map(it -> response.header(HttpHeaders.WWW_AUTHENTICATE, it))
            .orElse(response);
  }

  private Optional<String> challenge(HttpRequest<?> request, HttpStatus status) {
    SignOn signOn = verifier.principals().signOn();
    if (status == HttpStatus.UNAUTHORIZED && !signOn.hasCallers()) {
      return Optional.of(BearerChallenge.plain());
    }
    Optional<Refusal> refusal = refusal(request);
    boolean isNeeded =
        status == HttpStatus.UNAUTHORIZED
            || (status == HttpStatus.FORBIDDEN
                && refusal.filter(Refusal.SCOPE_MISSING::equals).isPresent());
    return isNeeded
        ? Optional.of(
            BearerChallenge.of(
                refusal, Optional.of(publicUrls.base(request) + METADATA_OF_MCP), signOn.scopes()))
        : Optional.empty();
  }

  /** Why the token of a request was refused; empty when it sent none. */
  private Optional<Refusal> refusal(HttpRequest<?> request) {
    return switch (CallerTokens.verdict(request)) {
      case TokenVerdict.Refused(Unauthorized(var refusal), _) -> Optional.of(refusal);
      case TokenVerdict.Signed(var token)
          when verifier.principals().admission(token) instanceof Admission.Refused(var refusal) ->
          Optional.of(refusal);
      case TokenVerdict _ ->
          request.getHeaders().contains(HttpHeaders.AUTHORIZATION)
              ? Optional.of(Refusal.TOKEN_UNKNOWN)
              : Optional.empty();
    };
  }
}
