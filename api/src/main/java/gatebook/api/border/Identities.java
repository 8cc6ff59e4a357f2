package gatebook.api.border;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.command.rules.KnownPrincipal;
import gatebook.command.rules.Rules;
import gatebook.events.call.Principal;
import gatebook.events.fault.Misdirected.Refusal;
import gatebook.events.fault.Misdirected.Unauthorized;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Who a caller is, by the bearer token it shows. */
final class Identities {

  private static final Principal ANYBODY = new Principal("anonymous", List.of(), Map.of());
  private static final String BEARER = "Bearer ";

  private Identities() {}

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
    return token(caller.authorization())
        .flatMap(token -> named(token, rules))
        .<Identity>map(principal -> new Identity.Known(principal, true))
        .orElseGet(() -> unknown(Refusal.TOKEN_UNKNOWN));
  }

  private static Optional<String> token(List<String> authorization) {
    String only = authorization.getFirst();
    return authorization.size() == 1 && only.regionMatches(true, 0, BEARER, 0, BEARER.length())
        ? Optional.of(only.substring(BEARER.length()).strip())
        : Optional.empty();
  }

  /** Hashes are compared, so the time it takes tells nothing of a token. */
  private static Optional<Principal> named(String token, Rules rules) {
    byte[] hash = sha256(token);
    return rules.principals().stream()
        .filter(known -> MessageDigest.isEqual(known.tokenHash().toArray(), hash))
        .map(KnownPrincipal::principal)
        .findFirst();
  }

  private static Identity unknown(Refusal refusal) {
    return new Identity.Unknown(new Unauthorized(refusal));
  }

  private static byte[] sha256(String token) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(token.getBytes(UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
