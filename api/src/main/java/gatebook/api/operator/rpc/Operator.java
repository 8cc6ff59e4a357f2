package gatebook.api.operator.rpc;

import gatebook.command.rules.KnownOperator.Role;
import gatebook.events.call.Bytes;
import java.util.Set;

/**
 * An authenticated operator and the roles it has.
 *
 * @param tokenHash the hash of its token
 */
public record Operator(String name, Set<Role> roles, Bytes tokenHash) {
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
