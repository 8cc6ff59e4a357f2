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
 * Filters out requests that a web page made a browser send: with DNS rebinding they have a foreign
 * {@code Host}, from another site a foreign {@code Origin}.
 *
 * <p>The host of a request must be that of the port it arrived at: the host the port is bound to or
 * a name of the loopback interface, with the port's number; or a name that the operator configured.
 */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
@Order(1)
final class HostFilter {

  private final OpenPorts openPorts;
  private final HttpErrors errors;
  private final Map<ListenAddress, AllowedHosts> allowedByAddress = new ConcurrentHashMap<>();

  HostFilter(OpenPorts openPorts, HttpErrors errors) {
    this.openPorts = openPorts;
    this.errors = errors;
  }

  @RequestFilter
  Optional<HttpResponse<?>> refuseForeign(HttpRequest<?> request) {
    AllowedHosts allowed =
        openPorts.find(request).map(bound -> allowedAt(bound.address())).orElse(AllowedHosts.NONE);
    return UnreadableRequests.errorOf(request)
        .or(() -> foreign(request.getHeaders(), allowed))
        .map(error -> errors.response(request, error));
  }

  private static Optional<HttpError> foreign(HttpHeaders headers, AllowedHosts allowed) {
    if (!allowed.hasHost(headers.getAll(HttpHeaders.HOST))) {
      return Optional.of(HttpError.FOREIGN_HOST);
    }
    return allowed.hasOrigins(headers.getAll(HttpHeaders.ORIGIN))
        ? Optional.empty()
        : Optional.of(HttpError.FOREIGN_ORIGIN);
  }

  private AllowedHosts allowedAt(ListenAddress at) {
    return allowedByAddress.computeIfAbsent(at, AllowedHosts::of);
  }
}
