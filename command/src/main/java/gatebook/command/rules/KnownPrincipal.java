package gatebook.command.rules;

import gatebook.events.call.Bytes;
import gatebook.events.call.Principal;

/** A principal known by a token, of which only the SHA-256 is stored. */
public record KnownPrincipal(Bytes tokenHash, Principal principal) {}
