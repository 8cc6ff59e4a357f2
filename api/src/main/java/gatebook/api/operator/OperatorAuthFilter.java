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
 * Closes all at and below {@code /operator} to whoever has no token of an operator, whatever the
 * method and whether or not there is anything: a stranger learns of no path and of no method.
 */
@ServerFilter("/operator/**")
@Order(2)
final class OperatorAuthFilter {

  private final OpenPorts doors;
  private final HttpErrors errors;
  private final BeanProvider<OperatorRpc> desk;

  OperatorAuthFilter(OpenPorts doors, HttpErrors errors, BeanProvider<OperatorRpc> desk) {
    this.doors = doors;
    this.errors = errors;
    this.desk = desk;
  }

  @RequestFilter
  Optional<HttpResponse<?>> close(HttpRequest<?> request) {
    return !doors.isAt(request, Port.ADMIN) || isKnown(request)
        ? Optional.empty()
        : Optional.of(OperatorController.closed(errors, request));
  }

  private boolean isKnown(HttpRequest<?> request) {
    return BearerToken.of(request.getHeaders().getAll(HttpHeaders.AUTHORIZATION))
        .flatMap(desk.get()::knownBy)
        .isPresent();
  }
}
