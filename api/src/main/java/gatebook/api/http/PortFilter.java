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

/** Keeps every path to its own door: at the other one it is not found, whatever the method. */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
@Order(3) // after whoever closes paths to strangers, who are not told which there are
final class PortFilter {

  private final OpenPorts doors;
  private final Router router;
  private final HttpErrors errors;

  PortFilter(OpenPorts doors, Router router, HttpErrors errors) {
    this.doors = doors;
    this.router = router;
    this.errors = errors;
  }

  @RequestFilter
  Optional<HttpResponse<?>> keep(HttpRequest<?> request) {
    return doors.of(request).filter(bound -> answers(request, bound.door())).isPresent()
        ? Optional.empty()
        : Optional.of(errors.response(request, HttpError.NOT_FOUND));
  }

  /** A path asked with a method it does not have matches no route, yet it may be a path of ours. */
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
