package gatebook.api.http;

import io.micronaut.core.annotation.Order;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Refuses requests a web page made a browser send: with DNS rebinding they carry a foreign {@code
 * Host}, from another site a foreign {@code Origin}.
 *
 * <p>A request must name the door it came in by: the host it is bound to or a name of the loopback
 * interface, with its port.
 */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
@Order(1)
final class HostFilter {

  private static final List<String> LOOPBACK = List.of("localhost", "127.0.0.1", "[::1]");
  private static final int HTTP_PORT = 80;

  private final OpenDoors doors;

  HostFilter(OpenDoors doors) {
    this.doors = doors;
  }

  @RequestFilter
  Optional<HttpResponse<?>> refuseForeign(HttpRequest<?> request) {
    Set<String> ours = doors.of(request).map(bound -> authorities(bound.at())).orElse(Set.of());
    if (!namesOneOf(ours, request)) {
      return refused("the Host header must name this server and its port");
    }
    if (!cameFromOneOf(ours, request)) {
      return refused("requests of other origins are refused");
    }
    return Optional.empty();
  }

  private static boolean namesOneOf(Set<String> ours, HttpRequest<?> request) {
    List<String> hosts = request.getHeaders().getAll(HttpHeaders.HOST);
    return hosts.size() == 1 && ours.contains(lowerCase(hosts.getFirst()));
  }

  private static boolean cameFromOneOf(Set<String> ours, HttpRequest<?> request) {
    return request.getHeaders().getAll(HttpHeaders.ORIGIN).stream()
        .map(HostFilter::lowerCase)
        .allMatch(origin -> ours.stream().anyMatch(our -> origin.equals("http://" + our)));
  }

  /** Every way a client may write this door; it leaves out the port when it is the usual one. */
  private static Set<String> authorities(Listen at) {
    return Stream.concat(LOOPBACK.stream(), Stream.of(lowerCase(at.hostInUrl())))
        .flatMap(host ->
            at.port() == HTTP_PORT
                ? Stream.of(host, host + ":" + HTTP_PORT)
                : Stream.of(host + ":" + at.port()))
        .collect(Collectors.toUnmodifiableSet());
  }

  private static Optional<HttpResponse<?>> refused(String why) {
    return Optional.of(ErrorBody.response(HttpStatus.FORBIDDEN, why));
  }

  private static String lowerCase(String text) {
    return text.toLowerCase(Locale.ROOT);
  }
}
