package gatebook.command.rules;

import gatebook.events.call.Bytes;
import java.util.Set;

/** An operator known by a token, of which only the SHA-256 is stored. */
public record KnownOperator(String name, Bytes tokenHash, Set<Role> roles) {
  public KnownOperator {
    roles = Set.copyOf(roles);
  }

  /** A permission of an operator. */
  public enum Role {
    /** See what happened, without arguments. */
    VIEW,
    /** See arguments too. */
    ARGUMENTS,
    /** Decide approvals. */
    APPROVE,
    /** Everything else. */
    ADMIN
  }
}
