package gatebook.command.rules;

import gatebook.events.call.Bytes;
import java.util.Set;

/** An operator, and the credentials of which each is enough. */
public record KnownOperator(String name, Set<Credential> credentials, Set<Role> roles) {
  public KnownOperator {
    credentials = Set.copyOf(credentials);
    roles = Set.copyOf(roles);
  }

  /** One that is known by a token. */
  public KnownOperator(String name, Bytes tokenHash, Set<Role> roles) {
    this(name, Set.of(new Credential.Token(tokenHash)), roles);
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
