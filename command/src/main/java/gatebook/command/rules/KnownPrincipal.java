package gatebook.command.rules;

import gatebook.events.call.Bytes;
import gatebook.events.call.Principal;
import java.util.Set;

/** A principal, and the credentials of which each is enough. */
public record KnownPrincipal(Set<Credential> credentials, Principal principal) {
  public KnownPrincipal {
    credentials = Set.copyOf(credentials);
  }

  /** One that is known by a token. */
  public KnownPrincipal(Bytes tokenHash, Principal principal) {
    this(Set.of(new Credential.Token(tokenHash)), principal);
  }
}
