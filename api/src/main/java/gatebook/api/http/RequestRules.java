package gatebook.api.http;

import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import jakarta.inject.Singleton;
import java.util.Optional;

/**
 * The rules of HTTP for the requests at both ports. They refuse what could not be read, and what a
 * web page made a browser send: with DNS rebinding it has a foreign {@code Host}, from another site
 * a foreign {@code Origin}.
 *
 * <p>The host of a request must be that of the port it arrived at: the host the port is bound to or
 * a name of the loopback interface, with the port's number; or a name that the operator configured.
 */
@Singleton
final class RequestRules {

  private final OpenPorts openPorts;

  RequestRules(OpenPorts openPorts) {
    this.openPorts = openPorts;
  }

  /** Why a request is refused whatever it asks for; empty when it is not. */
  Optional<HttpError> refusal(HttpRequest<?> request) {
    return UnreadableRequests.errorOf(request).or(() -> refusal(request, openPorts.find(request)));
  }

  private Optional<HttpError> refusal(HttpRequest<?> request, Optional<OpenPorts.Bound> at) {
    return foreign(request.getHeaders(), at.map(OpenPorts.Bound::allowed).orElse(AllowedHosts.NONE))
        .or(() ->
            at.filter(bound -> needsCertificate(request, bound))
                .filter(_ -> request.getCertificate().isEmpty())
                .map(_ -> HttpError.CLIENT_CERTIFICATE_MISSING));
  }

  /** The handshake only asks for a certificate, since a probe has none. */
  private static boolean needsCertificate(HttpRequest<?> request, OpenPorts.Bound at) {
    return at.address().tls() == TlsMode.MUTUAL
        && (at.port() != Port.ADMIN || !ProbeController.PATHS.contains(request.getPath()));
  }

  private static Optional<HttpError> foreign(HttpHeaders headers, AllowedHosts allowed) {
    if (!allowed.hasHost(headers.getAll(HttpHeaders.HOST))) {
      return Optional.of(HttpError.FOREIGN_HOST);
    }
    return allowed.hasOrigins(headers.getAll(HttpHeaders.ORIGIN))
        ? Optional.empty()
        : Optional.of(HttpError.FOREIGN_ORIGIN);
  }
}
