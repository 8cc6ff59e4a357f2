package gatebook.api.http;

import io.micronaut.http.HttpRequest;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The open ports. A request's port is known from its connection, never from a header. */
@Singleton
public final class OpenPorts {

  private final Map<Integer, Bound> byPort = new ConcurrentHashMap<>();

  /**
   * An open port.
   *
   * @param allowed with which hosts and origins clients may address it
   */
  record Bound(Port port, ListenAddress address, AllowedHosts allowed) {}

  void register(Port port, ListenAddress at) {
    byPort.put(at.port(), new Bound(port, at, AllowedHosts.of(at)));
  }

  /** Whether a request arrived at this port. */
  public boolean isAt(HttpRequest<?> request, Port port) {
    return find(request).filter(bound -> bound.port() == port).isPresent();
  }

  /** Empty in the instant between binding a port and knowing its number. */
  Optional<Bound> find(HttpRequest<?> request) {
    return Optional.ofNullable(byPort.get(request.getServerAddress().getPort()));
  }
}
