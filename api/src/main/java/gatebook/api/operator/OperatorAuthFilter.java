package gatebook.api.operator;

import gatebook.api.http.HttpError;
import gatebook.api.http.HttpErrors;
import gatebook.api.operator.rpc.Operator;
import io.micronaut.core.annotation.Order;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Requires an operator for every request at and below {@code /operator}, for all methods and also
 * for paths that do not exist: without one a client learns of no path and no method.
 */
@ServerFilter("/operator/**")
@Order(2)
final class OperatorAuthFilter {
  private static final String AUTHENTICATED = "gatebook.operator";

  private final HttpErrors errors;
  private final OperatorAuthentication authentication;

  OperatorAuthFilter(HttpErrors errors, OperatorAuthentication authentication) {
    this.errors = errors;
    this.authentication = authentication;
  }

  @RequestFilter
  CompletableFuture<Optional<HttpResponse<?>>> requireOperator(HttpRequest<?> request) {
    return authentication.authenticate(request).thenApply(outcome -> refusal(request, outcome));
  }

  private Optional<HttpResponse<?>> refusal(
      HttpRequest<?> request, OperatorAuthentication.Outcome outcome) {
    return switch (outcome) {
      case OperatorAuthentication.Outcome.Refused(var error, var challenge) ->
          Optional.of(refused(request, error, challenge));
      case OperatorAuthentication.Outcome.Authenticated authenticated -> {
        request.setAttribute(AUTHENTICATED, authenticated);
        yield Optional.empty();
      }
    };
  }

  /** The operator of a request that passed this filter. */
  static Operator operatorOf(HttpRequest<?> request) {
    return authenticated(request).operator();
  }

  /** The operator of a request that passed this filter, and whether it is still permitted. */
  static OperatorAuthentication.Outcome.Authenticated authenticated(HttpRequest<?> request) {
    return request
        .getAttribute(AUTHENTICATED, OperatorAuthentication.Outcome.Authenticated.class)
        .orElseThrow();
  }

  private HttpResponse<?> refused(
      HttpRequest<?> request, HttpError error, Optional<String> challenge) {
    MutableHttpResponse<byte[]> response = errors.response(request, error);
    challenge.ifPresent(it -> response.header(HttpHeaders.WWW_AUTHENTICATE, it));
    return response;
  }
}
