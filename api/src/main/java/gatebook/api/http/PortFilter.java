package gatebook.api.http;

import io.micronaut.core.annotation.Order;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.web.router.RouteAttributes;
import io.micronaut.web.router.RouteMatch;
import io.micronaut.web.router.Router;
import java.util.Optional;

/** Keeps every path to its own port: at the other one it is not found, with any method. */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
@Order(3) // after the authentication of operators: others must not learn which paths exist
final class PortFilter {

  private final OpenPorts openPorts;
  private final Router router;
  private final HttpErrors errors;

  PortFilter(OpenPorts openPorts, Router router, HttpErrors errors) {
    this.openPorts = openPorts;
    this.router = router;
    this.errors = errors;
  }

  @RequestFilter
  Optional<HttpResponse<?>> keep(HttpRequest<?> request) {
    return openPorts.find(request).filter(bound -> answers(request, bound.port())).isPresent()
        ? Optional.empty()
        : Optional.of(errors.response(request, HttpError.NOT_FOUND));
  }

  /** A known path matches no route when it is requested with a method it does not have. */
  private boolean answers(HttpRequest<?> request, Port port) {
    return RouteAttributes.getRouteMatch(request)
        .map(match -> isAt(match, port))
        .orElseGet(() -> router.findAny(request).stream().anyMatch(match -> isAt(match, port)));
  }

  private static boolean isAt(RouteMatch<?> match, Port port) {
    return match
        .getRouteInfo()
        .getAnnotationMetadata()
        .enumValue(OnPort.class, Port.class)
        .filter(port::equals)
        .isPresent();
  }
}
