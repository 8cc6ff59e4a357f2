package gatebook.api.signon;

import com.nimbusds.jose.KeySourceException;
import gatebook.api.gateway.BearerToken;
import gatebook.api.gateway.RecentEntries;
import gatebook.api.gateway.message.TokenVerdict;
import gatebook.command.rules.Credential;
import gatebook.command.rules.Limit;
import gatebook.command.rules.Rules;
import gatebook.command.rules.signon.SignOn;
import gatebook.command.rules.signon.TokenIssuer;
import gatebook.events.call.Bytes;
import gatebook.events.fault.Misdirected.Refusal;
import gatebook.events.fault.Misdirected.Unauthorized;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Verifies tokens that issuers signed, by the rules in force. What was verified is remembered by
 * the hash of the token, until the keys have to be read again.
 */
public final class TokenVerifier implements AutoCloseable {
  private final Supplier<Rules> rules;
  private final InstantSource clock;
  private final IssuerDocuments documents = new IssuerDocuments();
  private final Map<KeySettings, IssuerKeys> keys = new ConcurrentHashMap<>();
  private final RecentEntries<Bytes, Verified> verified = new RecentEntries<>();
  private final AuthorizationCodeFlow codeFlow;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  /** A token whose signature is right and which is for this gateway. */
  private record Verified(
      TokenIssuer issuer, Credential.SignedToken token, TokenTimes times, Instant verifiedAt) {}

  public TokenVerifier(Supplier<Rules> rules, InstantSource clock) {
    this.rules = rules;
    this.clock = clock;
    this.codeFlow = new AuthorizationCodeFlow(this, documents, clock);
  }

  /** Verifies a token; does not block. Completed already when the token needs no work. */
  public CompletableFuture<TokenVerdict> verify(BearerToken token) {
    return atOnce(token)
        .map(CompletableFuture::completedFuture)
        .orElseGet(() -> CompletableFuture.supplyAsync(() -> verdict(token), threads));
  }

  /** Verifies a token; may block. */
  public TokenVerdict verifyNow(BearerToken token) {
    return atOnce(token).orElseGet(() -> verdict(token));
  }

  /** Signs operators on at the issuers, and has their ID tokens verified here. */
  public AuthorizationCodeFlow codeFlow() {
    return codeFlow;
  }

  /** Verifies the ID token that an issuer gave to a client. It is not remembered. May block. */
  TokenVerdict verifyIdToken(String idToken, TokenIssuer issuer, String client) {
    Rules now = rules.get();
    if (!JwtParts.isShapeOf(idToken)) {
      return refused(Refusal.TOKEN_MALFORMED);
    }
    if (idToken.length() > now.limits().get(Limit.SIGN_ON_TOKEN_BYTES_MAX)) {
      return refused(Refusal.TOKEN_TOO_LARGE);
    }
    Optional<JwtParts> parts = JwtParts.of(idToken);
    if (parts.isEmpty()) {
      return refused(Refusal.TOKEN_MALFORMED);
    }
    return issuer.issuer().equals(parts.get().claims().all().get("iss"))
        ? verdict(parts.get(), issuer, Set.of(client), now, known -> known)
        : refused(Refusal.TOKEN_ISSUER);
  }

  /** Reads the keys of these rules' issuers before a token needs them, without waiting for it. */
  public void prepare(Rules active) {
    SignOn signOn = active.principals().signOn();
    for (TokenIssuer issuer : signOn.issuers()) {
      var _ = threads.submit(() -> keysOf(issuer, active).prepare());
    }
  }

  private Optional<TokenVerdict> atOnce(BearerToken token) {
    Rules now = rules.get();
    if (now.principals().signOn().issuers().isEmpty() || !JwtParts.isShapeOf(token.text())) {
      return Optional.of(TokenVerdict.OPAQUE);
    }
    if (token.text().length() > now.limits().get(Limit.SIGN_ON_TOKEN_BYTES_MAX)) {
      return Optional.of(refused(Refusal.TOKEN_TOO_LARGE));
    }
    return verified.find(token.hash()).filter(it -> isFresh(it, now)).map(it -> verdict(it, now));
  }

  private boolean isFresh(Verified known, Rules now) {
    Duration kept = Duration.ofSeconds(now.limits().get(Limit.SIGN_ON_KEYS_SECONDS_MAX));
    return now.principals().signOn().issuers().contains(known.issuer)
        && clock.instant().isBefore(known.verifiedAt.plus(kept));
  }

  private TokenVerdict verdict(Verified known, Rules now) {
    return known
        .times
        .refusal(clock.instant(), now.limits())
        .map(TokenVerifier::refused)
        .orElseGet(() -> new TokenVerdict.Signed(known.token));
  }

  private TokenVerdict verdict(BearerToken token) {
    Rules now = rules.get();
    Optional<JwtParts> parts = JwtParts.of(token.text());
    if (parts.isEmpty()) {
      return refused(Refusal.TOKEN_MALFORMED);
    }
    Optional<TokenIssuer> issuer =
        Optional.ofNullable(parts.get().claims().all().get("iss"))
            .flatMap(it -> now.principals().signOn().issuer(it.toString()));
    return issuer.isEmpty()
        ? refused(Refusal.TOKEN_ISSUER)
        : verdict(
            parts.get(),
            issuer.get(),
            issuer.get().audiences(),
            now,
            known ->
                verified.add(
                    token.hash(),
                    known,
                    (_, newer) -> newer,
                    now.limits().getInt(Limit.SIGN_ON_TOKENS_MAX)));
  }

  private TokenVerdict verdict(
      JwtParts parts,
      TokenIssuer issuer,
      Set<String> audiences,
      Rules now,
      UnaryOperator<Verified> remember) {
    try {
      Instant start = clock.instant();
      Optional<Refusal> refusal = SignatureCheck.refusal(parts, issuer, keysOf(issuer, now));
      Optional<TokenTimes> times = TokenTimes.of(parts.claims());
      if (refusal.isPresent()) {
        return refused(refusal.get());
      }
      if (times.isEmpty()) {
        return refused(Refusal.TOKEN_MALFORMED);
      }
      if (Collections.disjoint(parts.claims().texts("aud"), audiences)) {
        return refused(Refusal.TOKEN_AUDIENCE);
      }
      Verified known =
          new Verified(
              issuer,
              new Credential.SignedToken(issuer.issuer(), parts.claims()),
              times.get(),
              start);
      return verdict(remember.apply(known), now);
    } catch (KeySourceException _) {
      return new TokenVerdict.Refused(
          new ServiceUnavailable(
              Cause.SIGN_ON_KEYS, now.limits().get(Limit.SIGN_ON_KEYS_PAUSE_SECONDS)));
    }
  }

  /** Keys of issuers that the rules no longer name are closed. */
  private IssuerKeys keysOf(TokenIssuer issuer, Rules now) {
    KeySettings settings = KeySettings.of(issuer, now.limits());
    IssuerKeys known = keys.get(settings);
    return known == null
        ? keys.computeIfAbsent(settings, it -> new IssuerKeys(it, documents, clock))
        : known;
  }

  private static TokenVerdict refused(Refusal refusal) {
    return new TokenVerdict.Refused(new Unauthorized(refusal));
  }

  @Override
  public void close() {
    threads.shutdownNow();
    keys.values().forEach(IssuerKeys::close);
    documents.close();
  }
}
