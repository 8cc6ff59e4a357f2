package gatebook.api.operator.signin;

import gatebook.api.gateway.BearerToken;
import gatebook.command.rules.Credential;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import gatebook.events.call.Bytes;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Supplier;

/** The codes of sign-in links. Each works once, for a short time. */
public final class SignInCodes {
  /** How many wait to be used; of more, the oldest one is dropped. */
  static final int WAITING_MAX = 1_000;

  private final Supplier<GatewayLimits> limits;
  private final InstantSource clock;

  /** By the hash of the code, the oldest first. */
  private final SequencedMap<Bytes, Issued> waiting = new LinkedHashMap<>();

  private record Issued(Credential credential, Instant expiresAt) {}

  /** A code, and when it expires. */
  public record SignInCode(String code, Instant expiresAt) {}

  SignInCodes(Supplier<GatewayLimits> limits, InstantSource clock) {
    this.limits = limits;
    this.clock = clock;
  }

  /** Issues a code for the operator with this credential; the code itself is not kept. */
  synchronized SignInCode issue(Credential credential) {
    Instant now = clock.instant();
    waiting.values().removeIf(issued -> !now.isBefore(issued.expiresAt));
    while (waiting.size() >= WAITING_MAX) {
      var _ = waiting.pollFirstEntry();
    }
    Instant expiresAt =
        now.plus(Duration.ofSeconds(limits.get().get(Limit.CONSOLE_LINK_SECONDS_MAX)));
    String code = RandomKey.next();
    waiting.put(BearerToken.hash(code), new Issued(credential, expiresAt));
    return new SignInCode(code, expiresAt);
  }

  /** Uses a code up, and returns the credential it stands for; empty when it is invalid. */
  synchronized Optional<Credential> redeem(String code) {
    return Optional.ofNullable(waiting.remove(BearerToken.hash(code)))
        .filter(issued -> clock.instant().isBefore(issued.expiresAt))
        .map(Issued::credential);
  }
}
