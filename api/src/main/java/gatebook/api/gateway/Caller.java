package gatebook.api.gateway;

import java.util.List;

/**
 * Who sent a message, as far as its transport can tell.
 *
 * @param authorization every {@code Authorization} header, as it was sent
 * @param local whether the message came from this machine
 * @param presence tells when it is gone
 */
public record Caller(List<String> authorization, boolean local, CallerConnection presence) {
  public Caller {
    authorization = List.copyOf(authorization);
  }
}
