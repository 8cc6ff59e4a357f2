package gatebook.api.gateway.message;

import gatebook.command.rules.Credential;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Misdirected.Unauthorized;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import java.util.Optional;

/** What is known of a bearer token, before it is known whose it is. */
public sealed interface TokenVerdict {

  /** It was not signed by an issuer, or none is configured: only its hash can be looked up. */
  TokenVerdict OPAQUE = new Opaque();

  /** An issuer signed it, and it is valid now. */
  record Signed(Credential.SignedToken token) implements TokenVerdict {}

  /**
   * It looks signed, and is not valid or cannot be verified now.
   *
   * @param fault {@link Unauthorized} or {@link ServiceUnavailable}
   * @param issuer the name that the rules have for its issuer; empty when they have none
   */
  record Refused(Fault fault, Optional<String> issuer) implements TokenVerdict {

    /** The word for why. */
    public String reason() {
      return switch (fault) {
        case Unauthorized(var refusal) -> refusal.word();
        case ServiceUnavailable(var cause, _) -> cause.word();
        default -> fault.kind();
      };
    }
  }

  record Opaque() implements TokenVerdict {}
}
