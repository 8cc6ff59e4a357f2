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
final class DoorFilter {

  private final OpenDoors doors;
  private final Router router;
  private final HttpErrors errors;

  DoorFilter(OpenDoors doors, Router router, HttpErrors errors) {
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
  private boolean answers(HttpRequest<?> request, Door door) {
    return RouteAttributes.getRouteMatch(request)
        .map(match -> isAt(match, door))
        .orElseGet(() -> router.findAny(request).stream().anyMatch(match -> isAt(match, door)));
  }

  private static boolean isAt(RouteMatch<?> match, Door door) {
    return match
        .getRouteInfo()
        .getAnnotationMetadata()
        .enumValue(At.class, Door.class)
        .filter(door::equals)
        .isPresent();
  }
}
