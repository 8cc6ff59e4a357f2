package gatebook.api.operator.signin;

import gatebook.api.gateway.BearerToken;
import gatebook.api.signon.SignOnAttempt;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import gatebook.events.call.Bytes;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Supplier;

/**
 * The sign-ons that were sent to an authorization server, and have not come back. Each comes back
 * once, in the browser that it began in, and soon; of too many, the oldest one is dropped.
 */
final class PendingSignOns {
  private final Supplier<GatewayLimits> limits;
  private final InstantSource clock;

  /** By the hash of the state, the oldest first. */
  private final SequencedMap<Bytes, Pending> pending = new LinkedHashMap<>();

  private record Pending(SignOnAttempt attempt, Bytes browserKeyHash, Instant expiresAt) {}

  /**
   * A sign-on that begins.
   *
   * @param state which the authorization server sends back
   * @param browserKey which the browser keeps in a cookie
   */
  record Begun(SignOnAttempt attempt, String state, String browserKey) {}

  PendingSignOns(Supplier<GatewayLimits> limits, InstantSource clock) {
    this.limits = limits;
    this.clock = clock;
  }

  synchronized Begun begin(String issuer, URI redirect) {
    Instant now = clock.instant();
    GatewayLimits gatewayLimits = limits.get();
    pending.values().removeIf(it -> !now.isBefore(it.expiresAt));
    while (pending.size() >= gatewayLimits.get(Limit.CONSOLE_SIGN_ONS_MAX)) {
      var _ = pending.pollFirstEntry();
    }
    Begun begun =
        new Begun(
            new SignOnAttempt(issuer, redirect, RandomKey.next(), RandomKey.next()),
            RandomKey.next(),
            RandomKey.next());
    pending.put(
        BearerToken.hash(begun.state),
        new Pending(
            begun.attempt,
            BearerToken.hash(begun.browserKey),
            now.plus(Duration.ofSeconds(gatewayLimits.get(Limit.CONSOLE_SIGN_ON_SECONDS_MAX)))));
    return begun;
  }

  /**
   * The sign-on with this state, which does not come back again. Empty when it is unknown or too
   * old; another browser does not end it.
   */
  synchronized Optional<SignOnAttempt> take(String state, String browserKey) {
    Bytes hash = BearerToken.hash(state);
    Pending found = pending.get(hash);
    if (found == null || !found.browserKeyHash.equals(BearerToken.hash(browserKey))) {
      return Optional.empty();
    }
    pending.remove(hash);
    return clock.instant().isBefore(found.expiresAt)
        ? Optional.of(found.attempt)
        : Optional.empty();
  }
}
