package gatebook.api.operator.rpc;

import gatebook.command.rules.Credential;
import gatebook.command.rules.KnownOperator.Role;
import java.util.Set;

/**
 * An authenticated operator and the roles it has.
 *
 * @param credential by which it is known
 */
public record Operator(String name, Set<Role> roles, Credential credential) {
  public Operator {
    roles = Set.copyOf(roles);
  }

  public boolean has(Role role) {
    return roles.contains(role);
  }

  public boolean hasAnyOf(Set<Role> any) {
    return any.stream().anyMatch(roles::contains);
  }
}
