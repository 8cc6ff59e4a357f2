package gatebook.api.gateway;

import gatebook.command.rules.Credential;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The newest claims of principals that signed on: the tasks of trees that they own run by them,
 * later and without a token, for as long as a token may be used at most.
 */
final class SignedOnOwners {
  private final RecentEntries<String, Seen> newest = new RecentEntries<>();

  private record Seen(Credential.SignedToken token, Instant at) {}

  /**
   * Remembers the claims of a principal.
   *
   * @param token which was valid at that time
   */
  void remember(String principal, Credential.SignedToken token, Instant at, GatewayLimits limits) {
    newest.add(
        principal, new Seen(token, at), (_, last) -> last, limits.getInt(Limit.SIGN_ON_TOKENS_MAX));
  }

  /** The claims of a principal, if they are not too old. */
  Optional<Credential.SignedToken> find(String principal, Instant now, GatewayLimits limits) {
    Duration age = Duration.ofMinutes(limits.get(Limit.SIGN_ON_TOKEN_MINUTES_MAX));
    return newest.find(principal).filter(it -> now.isBefore(it.at.plus(age))).map(Seen::token);
  }
}
