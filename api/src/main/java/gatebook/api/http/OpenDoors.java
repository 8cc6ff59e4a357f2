package gatebook.api.http;

import io.micronaut.http.HttpRequest;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Which door a request came in by, told from the port of its connection, never from a header. */
@Singleton
public final class OpenDoors {

  private final Map<Integer, Bound> byPort = new ConcurrentHashMap<>();

  record Bound(Door door, Listen at) {}

  void opened(Door door, Listen at) {
    byPort.put(at.port(), new Bound(door, at));
  }

  /** Whether a request came in by this door. */
  public boolean isAt(HttpRequest<?> request, Door door) {
    return of(request).filter(bound -> bound.door() == door).isPresent();
  }

  /** Empty in the instant between binding a port and knowing its number. */
  Optional<Bound> of(HttpRequest<?> request) {
    return Optional.ofNullable(byPort.get(request.getServerAddress().getPort()));
  }
}
