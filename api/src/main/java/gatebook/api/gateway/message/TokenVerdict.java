package gatebook.api.gateway.message;

import gatebook.command.rules.Credential;
import gatebook.events.fault.Fault;

/** What is known of a bearer token, before it is known whose it is. */
public sealed interface TokenVerdict {

  /** It was not signed by an issuer, or none is configured: only its hash can be looked up. */
  TokenVerdict OPAQUE = new Opaque();

  /** An issuer signed it, and it is valid now. */
  record Signed(Credential.SignedToken token) implements TokenVerdict {}

  /** It looks signed, and is not valid or cannot be verified now. */
  record Refused(Fault fault) implements TokenVerdict {}

  record Opaque() implements TokenVerdict {}
}
