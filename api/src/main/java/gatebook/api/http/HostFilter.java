package gatebook.api.http;

import io.micronaut.core.annotation.Order;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Refuses requests a web page made a browser send: with DNS rebinding they carry a foreign {@code
 * Host}, from another site a foreign {@code Origin}.
 *
 * <p>A request must name the door it came in by: the host it is bound to or a name of the loopback
 * interface, with its port; or a name that the operator gave it.
 */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
@Order(1)
final class HostFilter {

  private final OpenDoors doors;
  private final Map<Listen, OurNames> names = new ConcurrentHashMap<>();

  HostFilter(OpenDoors doors) {
    this.doors = doors;
  }

  @RequestFilter
  Optional<HttpResponse<?>> refuseForeign(HttpRequest<?> request) {
    OurNames ours = doors.of(request).map(bound -> names(bound.at())).orElse(OurNames.NONE);
    if (!ours.hasHost(request.getHeaders().getAll(HttpHeaders.HOST))) {
      return refused("the Host header must name this server and its port");
    }
    if (!ours.hasOrigins(request.getHeaders().getAll(HttpHeaders.ORIGIN))) {
      return refused("requests of other origins are refused");
    }
    return Optional.empty();
  }

  private OurNames names(Listen at) {
    return names.computeIfAbsent(at, OurNames::of);
  }

  private static Optional<HttpResponse<?>> refused(String why) {
    return Optional.of(ErrorBody.response(HttpStatus.FORBIDDEN, why));
  }
}
