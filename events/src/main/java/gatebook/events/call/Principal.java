package gatebook.events.call;

import java.util.List;
import java.util.Map;

/** Who called, with the roles and attributes the gates saw. */
public record Principal(String name, List<String> roles, Map<String, String> attributes) {

  public Principal {
    roles = List.copyOf(roles);
    attributes = Map.copyOf(attributes);
  }
}
