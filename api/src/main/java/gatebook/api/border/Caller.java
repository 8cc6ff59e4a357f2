package gatebook.api.border;

import java.util.List;

/**
 * Who sent a message, as far as its transport can tell.
 *
 * @param authorization every {@code Authorization} header, as it was sent
 * @param local whether the message came from this machine
 */
public record Caller(List<String> authorization, boolean local) {
  public Caller {
    authorization = List.copyOf(authorization);
  }
}
