package gatebook.api.http;

import io.micronaut.core.annotation.Order;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
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

  private final OpenPorts doors;
  private final HttpErrors errors;
  private final Map<ListenAddress, AllowedHosts> names = new ConcurrentHashMap<>();

  HostFilter(OpenPorts doors, HttpErrors errors) {
    this.doors = doors;
    this.errors = errors;
  }

  @RequestFilter
  Optional<HttpResponse<?>> refuseForeign(HttpRequest<?> request) {
    AllowedHosts ours = doors.of(request).map(bound -> names(bound.at())).orElse(AllowedHosts.NONE);
    return UnreadableRequests.why(request)
        .or(() -> foreign(request.getHeaders(), ours))
        .map(error -> errors.response(request, error));
  }

  private static Optional<HttpError> foreign(HttpHeaders headers, AllowedHosts ours) {
    if (!ours.hasHost(headers.getAll(HttpHeaders.HOST))) {
      return Optional.of(HttpError.FOREIGN_HOST);
    }
    return ours.hasOrigins(headers.getAll(HttpHeaders.ORIGIN))
        ? Optional.empty()
        : Optional.of(HttpError.FOREIGN_ORIGIN);
  }

  private AllowedHosts names(ListenAddress at) {
    return names.computeIfAbsent(at, AllowedHosts::of);
  }
}
