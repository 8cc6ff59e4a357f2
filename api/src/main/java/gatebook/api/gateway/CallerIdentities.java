package gatebook.api.gateway;

import gatebook.api.gateway.message.Caller;
import gatebook.api.gateway.message.TaskRun;
import gatebook.api.gateway.message.TokenVerdict;
import gatebook.command.rules.Admission;
import gatebook.command.rules.Credential;
import gatebook.command.rules.Rules;
import gatebook.events.call.Principal;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Misdirected.Refusal;
import gatebook.events.fault.Misdirected.Unauthorized;
import java.util.Optional;

/** Identifies a caller by its bearer token, or else by the certificate of its connection. */
final class CallerIdentities {

  private CallerIdentities() {}

  /** The identity of a caller. */
  sealed interface Identity {
    /** {@code named} unless it is the anonymous principal. */
    record Known(Principal principal, boolean named) implements Identity {}

    record Unknown(Fault fault) implements Identity {}
  }

  /** A caller without a token is accepted from this machine only. */
  static Identity of(Caller caller, Rules rules) {
    TaskRun taskRun = caller.taskRun();
    if (taskRun != null) {
      return owner(taskRun.owner(), caller.verdict(), rules);
    }
    if (caller.authorization().isEmpty()) {
      return caller.certificates().isEmpty()
          ? withoutCredential(caller)
          : certified(caller, rules).orElseGet(() -> withoutCredential(caller));
    }
    return BearerToken.of(caller.authorization())
        .flatMap(token -> rules.principals().with(new Credential.Token(token.hash())))
        .<Identity>map(principal -> new Identity.Known(principal, true))
        .orElseGet(() -> signedOn(caller.verdict(), rules));
  }

  /** A token that is not listed may be one that an issuer signed. */
  private static Identity signedOn(TokenVerdict verdict, Rules rules) {
    return switch (verdict) {
      case TokenVerdict.Opaque() -> unknown(Refusal.TOKEN_UNKNOWN);
      case TokenVerdict.Refused(var fault, _) -> new Identity.Unknown(fault);
      case TokenVerdict.Signed(var token) ->
          switch (rules.principals().admission(token)) {
            case Admission.Admitted(var principal) -> new Identity.Known(principal, true);
            case Admission.Refused(var refusal) -> unknown(refusal);
          };
    };
  }

  private static Optional<Identity> certified(Caller caller, Rules rules) {
    for (Credential.Certificate certificate : caller.certificates()) {
      Optional<Principal> principal = rules.principals().with(certificate);
      if (principal.isPresent()) {
        return Optional.of(new Identity.Known(principal.get(), true));
      }
    }
    return Optional.empty();
  }

  private static Identity withoutCredential(Caller caller) {
    return caller.local()
        ? new Identity.Known(Principal.ANONYMOUS, false)
        : unknown(Refusal.TOKEN_MISSING);
  }

  /** The owner of a task, who may be unknown by now. A tree has limits of its own, and no rate. */
  private static Identity owner(String name, TokenVerdict verdict, Rules rules) {
    return name.equals(Principal.ANONYMOUS.name())
        ? new Identity.Known(Principal.ANONYMOUS, false)
        : rules
            .principals()
            .named(name)
            .or(() ->
                verdict instanceof TokenVerdict.Signed(var token)
                    ? rules.principals().with(token)
                    : Optional.empty())
            .<Identity>map(principal -> new Identity.Known(principal, false))
            .orElseGet(() -> unknown(Refusal.NOT_PERMITTED));
  }

  private static Identity unknown(Refusal refusal) {
    return new Identity.Unknown(new Unauthorized(refusal));
  }
}
