package gatebook.events.call;

import java.util.List;
import java.util.Map;

/** The principal that called, with the roles and attributes that the gates used. */
public record Principal(String name, List<String> roles, @Erasable Map<String, String> attributes) {

  /** The principal of callers without a token, on the node's own machine. */
  public static final Principal ANONYMOUS = new Principal("anonymous", List.of(), Map.of());

  public Principal {
    roles = List.copyOf(roles);
    attributes = Map.copyOf(attributes);
  }
}
