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

/**
 * The sessions of operators, in the memory of this process. Each is bound to a credential, and ends
 * when it is idle or too old, or when there are too many: then the oldest one ends.
 */
final class OperatorSessions {
  private final Supplier<GatewayLimits> limits;
  private final InstantSource clock;

  /** By the hash of the key, the oldest first. */
  private final SequencedMap<Bytes, Session> sessions = new LinkedHashMap<>();

  private record Session(Credential credential, Instant start, Instant lastUse) {
    boolean hasEnded(Instant now, GatewayLimits limits) {
      return !now.isBefore(
              lastUse.plus(Duration.ofMinutes(limits.get(Limit.CONSOLE_SESSION_IDLE_MINUTES_MAX))))
          || !now.isBefore(
              start.plus(Duration.ofMinutes(limits.get(Limit.CONSOLE_SESSION_MINUTES_MAX))));
    }
  }

  OperatorSessions(Supplier<GatewayLimits> limits, InstantSource clock) {
    this.limits = limits;
    this.clock = clock;
  }

  /** Opens a session and returns its key, which is not kept. */
  synchronized String open(Credential credential) {
    Instant now = clock.instant();
    GatewayLimits gatewayLimits = limits.get();
    sessions.values().removeIf(session -> session.hasEnded(now, gatewayLimits));
    while (sessions.size() >= gatewayLimits.get(Limit.CONSOLE_SESSIONS_MAX)) {
      var _ = sessions.pollFirstEntry();
    }
    String key = RandomKey.next();
    sessions.put(BearerToken.hash(key), new Session(credential, now, now));
    return key;
  }

  /** Marks a session as used, and returns its credential; empty when there is none. */
  synchronized Optional<Credential> use(String key) {
    Instant now = clock.instant();
    Bytes hash = BearerToken.hash(key);
    Session session = sessions.get(hash);
    if (session == null) {
      return Optional.empty();
    }
    if (session.hasEnded(now, limits.get())) {
      sessions.remove(hash);
      return Optional.empty();
    }
    sessions.put(hash, new Session(session.credential, session.start, now));
    return Optional.of(session.credential);
  }

  /** The credential of a session, as {@link #use} returns it; does not count as use. */
  synchronized Optional<Credential> find(String key) {
    return Optional.ofNullable(sessions.get(BearerToken.hash(key)))
        .filter(session -> !session.hasEnded(clock.instant(), limits.get()))
        .map(Session::credential);
  }

  synchronized void end(String key) {
    sessions.remove(BearerToken.hash(key));
  }
}
