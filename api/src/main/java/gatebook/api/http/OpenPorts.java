package gatebook.api.http;

import io.micronaut.http.HttpRequest;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Which door a request came in by, told from the port of its connection, never from a header. */
@Singleton
public final class OpenPorts {

  private final Map<Integer, Bound> byPort = new ConcurrentHashMap<>();

  record Bound(Port door, ListenAddress at) {}

  void opened(Port port, ListenAddress at) {
    byPort.put(at.port(), new Bound(port, at));
  }

  /** Whether a request came in by this door. */
  public boolean isAt(HttpRequest<?> request, Port port) {
    return of(request).filter(bound -> bound.door() == port).isPresent();
  }

  /** Empty in the instant between binding a port and knowing its number. */
  Optional<Bound> of(HttpRequest<?> request) {
    return Optional.ofNullable(byPort.get(request.getServerAddress().getPort()));
  }
}
