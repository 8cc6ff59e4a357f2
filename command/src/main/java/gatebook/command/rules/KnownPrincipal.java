package gatebook.command.rules;

import gatebook.events.call.Bytes;
import gatebook.events.call.Principal;

/** A caller who is known by a token, of which only the SHA-256 is known. */
public record KnownPrincipal(Bytes tokenHash, Principal principal) {}
