package gatebook.api.signon;

import gatebook.command.rules.Claims;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import gatebook.events.fault.Misdirected.Refusal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The times of a token.
 *
 * @param notBefore absent when it is valid from the beginning
 */
record TokenTimes(Instant issuedAt, Instant expiresAt, @Nullable Instant notBefore) {

  private static final long MILLIS = 1_000;

  /** Empty when a time is missing that every token needs, or one is no time. */
  static Optional<TokenTimes> of(Claims claims) {
    Optional<Instant> issued = instant(claims.all().get("iat"));
    Optional<Instant> expires = instant(claims.all().get("exp"));
    Object from = claims.all().get("nbf");
    Optional<Instant> notBefore = instant(from);
    return issued.isEmpty() || expires.isEmpty() || (from != null && notBefore.isEmpty())
        ? Optional.empty()
        : Optional.of(new TokenTimes(issued.get(), expires.get(), notBefore.orElse(null)));
  }

  private static Optional<Instant> instant(@Nullable Object seconds) {
    try {
      return seconds instanceof Number number
          ? Optional.of(Instant.ofEpochMilli(Math.round(number.doubleValue() * MILLIS)))
          : Optional.empty();
    } catch (DateTimeException _) {
      return Optional.empty();
    }
  }

  /** Why the token is not valid at this time; empty when it is. */
  Optional<Refusal> refusal(Instant now, GatewayLimits limits) {
    Duration skew = Duration.ofSeconds(limits.get(Limit.SIGN_ON_CLOCK_SECONDS_MAX));
    Duration ageMax = Duration.ofMinutes(limits.get(Limit.SIGN_ON_TOKEN_MINUTES_MAX));
    Instant latest = now.plus(skew);
    if (issuedAt.isAfter(latest) || (notBefore != null && notBefore.isAfter(latest))) {
      return Optional.of(Refusal.TOKEN_NOT_YET_VALID);
    }
    Instant earliest = now.minus(skew);
    return expiresAt.isAfter(earliest) && issuedAt.plus(ageMax).isAfter(earliest)
        ? Optional.empty()
        : Optional.of(Refusal.TOKEN_EXPIRED);
  }
}
