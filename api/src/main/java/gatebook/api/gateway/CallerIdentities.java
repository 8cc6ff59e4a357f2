package gatebook.api.gateway;

import gatebook.command.rules.KnownPrincipal;
import gatebook.command.rules.Rules;
import gatebook.events.call.Principal;
import gatebook.events.fault.Misdirected.Refusal;
import gatebook.events.fault.Misdirected.Unauthorized;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Who a caller is, by the bearer token it shows. */
final class CallerIdentities {

  private static final Principal ANYBODY = new Principal("anonymous", List.of(), Map.of());

  private CallerIdentities() {}

  /** What a caller turned out to be. */
  sealed interface Identity {
    /** {@code named} unless it is nobody in particular. */
    record Known(Principal principal, boolean named) implements Identity {}

    record Unknown(Unauthorized fault) implements Identity {}
  }

  /** Who shows no token is let in from this machine only. */
  static Identity of(Caller caller, Rules rules) {
    if (caller.authorization().isEmpty()) {
      return caller.local() ? new Identity.Known(ANYBODY, false) : unknown(Refusal.TOKEN_MISSING);
    }
    return BearerToken.of(caller.authorization())
        .flatMap(shown -> named(shown, rules))
        .<Identity>map(principal -> new Identity.Known(principal, true))
        .orElseGet(() -> unknown(Refusal.TOKEN_UNKNOWN));
  }

  private static Optional<Principal> named(BearerToken shown, Rules rules) {
    return rules.principals().stream()
        .filter(known -> shown.isOf(known.tokenHash()))
        .map(KnownPrincipal::principal)
        .findFirst();
  }

  private static Identity unknown(Refusal refusal) {
    return new Identity.Unknown(new Unauthorized(refusal));
  }
}
