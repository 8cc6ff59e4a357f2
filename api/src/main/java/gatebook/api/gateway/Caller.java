package gatebook.api.gateway;

import java.util.List;

/**
 * The caller that sent a message, as its transport knows it.
 *
 * @param authorization every {@code Authorization} header, as it was sent
 * @param local whether the message came from this machine
 * @param connection reports when the caller disconnects
 */
public record Caller(List<String> authorization, boolean local, CallerConnection connection) {
  public Caller {
    authorization = List.copyOf(authorization);
  }
}
