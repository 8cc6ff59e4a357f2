package gatebook.api.gateway;

import gatebook.api.gateway.message.CredentialMask;
import gatebook.api.gateway.message.DialectHandler;
import gatebook.api.gateway.message.DialectHandler.DialectCall;
import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.api.gateway.quota.NodeQuotas;
import gatebook.api.rpc.JsonType;
import gatebook.command.call.Intent;
import gatebook.command.rules.Rules;
import gatebook.events.call.Principal;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Misdirected;
import gatebook.events.fault.Problem;
import gatebook.events.fault.ServerFault;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Checks what a call wants before any gate decides about it: the caller's rate, credentials in the
 * names it gives, and whether there are rules to serve it by. What fails is not servable.
 */
final class IntentCheck {

  private final NodeQuotas quotas;
  private final DialectHandler handler;
  private final Rules rules;
  private final @Nullable ServerFault obstacle;

  IntentCheck(NodeQuotas quotas, DialectHandler handler, RoutingSnapshot snapshot) {
    this.quotas = quotas;
    this.handler = handler;
    this.rules = snapshot.rules();
    this.obstacle = snapshot.obstacle();
  }

  /**
   * What the call is decided by.
   *
   * @param wanted what it wants, as its dialect reads it
   * @param named whether the caller has a rate limit: the anonymous one has none
   */
  Intent intent(DialectCall dialectCall, Intent wanted, Principal principal, boolean named) {
    OptionalLong waitSeconds =
        named ? quotas.takeMessage(principal.name(), rules.limits()) : OptionalLong.empty();
    if (waitSeconds.isPresent()) {
      return new Intent.Unservable(
          new Misdirected.RateLimited(Misdirected.Limit.RATE, waitSeconds.getAsLong()));
    }
    Intent intent = withShortMethod(withoutCredentials(dialectCall, wanted));
    return obstacle != null && handler.mayAct(dialectCall, intent)
        ? new Intent.Unservable(obstacle)
        : intent;
  }

  /**
   * The fault for a caller with an unknown token. Without rules every token is unknown: a call that
   * would act gets the obstacle instead.
   */
  Fault refusal(DialectCall dialectCall, Fault fault) {
    return obstacle != null && handler.mayAct(dialectCall, handler.intent(dialectCall))
        ? obstacle
        : fault;
  }

  /** Names are stored, logged and shown, so a call with a credential in a name is refused. */
  private Intent withoutCredentials(DialectCall dialectCall, Intent intent) {
    if (CredentialMask.hasCredential(dialectCall.method())) {
      return new Intent.Unservable(
          new Misdirected.MethodNotFound(CredentialMask.mask(dialectCall.method())));
    }
    return intent instanceof Intent.Act act && hasCredential(act)
        ? new Intent.Unservable(
            new Misdirected.InvalidParams(List.of(credentialIn(handler.targetParam(dialectCall)))))
        : intent;
  }

  private static boolean hasCredential(Intent.Act act) {
    return CredentialMask.hasCredential(act.target())
        || (!act.others().isEmpty()
            && act.others().stream().anyMatch(CredentialMask::hasCredential));
  }

  private static Problem credentialIn(String param) {
    return new Problem(
        param, null, "a name without a credential in it", JsonType.STRING, List.of());
  }

  /** In a fault, a method's name is cut as it is when it is stored. */
  private static Intent withShortMethod(Intent intent) {
    return intent instanceof Intent.Unservable(Misdirected.MethodNotFound(var method))
        ? new Intent.Unservable(new Misdirected.MethodNotFound(CredentialMask.maskAndCut(method)))
        : intent;
  }
}
