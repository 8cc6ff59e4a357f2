package gatebook.api.operator;

import gatebook.command.rules.KnownOperator.Role;
import gatebook.events.call.Bytes;
import java.util.Set;

/**
 * An authenticated operator and the roles it has.
 *
 * @param tokenHash the hash of its token
 */
record Operator(String name, Set<Role> roles, Bytes tokenHash) {
  Operator {
    roles = Set.copyOf(roles);
  }

  boolean has(Role role) {
    return roles.contains(role);
  }

  boolean hasAnyOf(Set<Role> any) {
    return any.stream().anyMatch(roles::contains);
  }
}
