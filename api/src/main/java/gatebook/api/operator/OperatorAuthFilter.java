package gatebook.api.operator;

import gatebook.api.gateway.BearerToken;
import gatebook.api.http.HttpErrors;
import gatebook.api.http.OpenPorts;
import gatebook.api.http.Port;
import io.micronaut.context.BeanProvider;
import io.micronaut.core.annotation.Order;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import java.util.Optional;

/**
 * Requires an operator's token for every request at and below {@code /operator}, for all methods
 * and also for paths that do not exist: without a token a client learns of no path and no method.
 */
@ServerFilter("/operator/**")
@Order(2)
final class OperatorAuthFilter {

  private final OpenPorts openPorts;
  private final HttpErrors errors;
  private final BeanProvider<OperatorRpc> operatorRpc;

  OperatorAuthFilter(
      OpenPorts openPorts, HttpErrors errors, BeanProvider<OperatorRpc> operatorRpc) {
    this.openPorts = openPorts;
    this.errors = errors;
    this.operatorRpc = operatorRpc;
  }

  @RequestFilter
  Optional<HttpResponse<?>> requireToken(HttpRequest<?> request) {
    return !openPorts.isAt(request, Port.ADMIN) || hasOperatorToken(request)
        ? Optional.empty()
        : Optional.of(OperatorController.unauthorized(errors, request));
  }

  private boolean hasOperatorToken(HttpRequest<?> request) {
    return BearerToken.of(request.getHeaders().getAll(HttpHeaders.AUTHORIZATION))
        .flatMap(operatorRpc.get()::operatorOf)
        .isPresent();
  }
}
