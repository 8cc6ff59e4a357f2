package gatebook.api.signon;

import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;

import com.nimbusds.jose.KeySourceException;
import gatebook.api.gateway.BearerToken;
import gatebook.api.gateway.RecentEntries;
import gatebook.api.gateway.message.TokenVerdict;
import gatebook.command.rules.Admission;
import gatebook.command.rules.Credential;
import gatebook.command.rules.Limit;
import gatebook.command.rules.Principals;
import gatebook.command.rules.Rules;
import gatebook.command.rules.TokenIssuer;
import gatebook.events.call.Bytes;
import gatebook.events.fault.Misdirected.Refusal;
import gatebook.events.fault.Misdirected.Unauthorized;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Verifies tokens that issuers signed, by the rules in force. What was verified is remembered by
 * the hash of the token, until the keys have to be read again.
 */
public final class TokenVerifier implements AutoCloseable {
  private final Supplier<Rules> rules;
  private final KeyAges keyAges;
  private final SignInRefusals refusals;
  private final InstantSource clock;
  private final IssuerDocuments documents = new IssuerDocuments();
  private final Map<KeySettings, IssuerKeys> keys = new ConcurrentHashMap<>();
  private final RecentEntries<Bytes, Verified> verified = new RecentEntries<>();
  private final AuthorizationCodeFlow codeFlow;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  /** A token whose signature is right and which is for this gateway. */
  private record Verified(
      TokenIssuer issuer, Credential.SignedToken token, TokenTimes times, Instant verifiedAt) {}

  public TokenVerifier(Supplier<Rules> rules, MeterRegistry meters, InstantSource clock) {
    this.rules = rules;
    this.keyAges = new KeyAges(meters);
    this.refusals = new SignInRefusals(meters);
    this.clock = clock;
    this.codeFlow = new AuthorizationCodeFlow(this, documents, clock);
  }

  /** Verifies a token; does not block. Completed already when the token needs no work. */
  public CompletableFuture<TokenVerdict> verify(BearerToken token) {
    return atOnce(token)
        .map(CompletableFuture::completedFuture)
        .orElseGet(() -> CompletableFuture.supplyAsync(() -> verdict(token), threads));
  }

  /** Verifies the token of a caller, and counts the refusal of one who may not call. */
  public CompletableFuture<TokenVerdict> verifyCaller(BearerToken token) {
    return verify(token).thenApply(this::counted);
  }

  private TokenVerdict counted(TokenVerdict verdict) {
    switch (verdict) {
      case TokenVerdict.Opaque() -> {}
      case TokenVerdict.Refused refused -> refusals.count(refused);
      case TokenVerdict.Signed(var token) -> {
        if (rules.get().principals().admission(token) instanceof Admission.Refused(var refusal)) {
          refusals.count(nameOf(token.issuer()), refusal.word());
        }
      }
    }
    return verdict;
  }

  /** Those of the rules in force. */
  public Principals principals() {
    return rules.get().principals();
  }

  public SignInRefusals refusals() {
    return refusals;
  }

  /** The name that the rules have for an issuer. */
  public Optional<String> nameOf(String issuer) {
    return rules.get().principals().signOn().issuer(issuer).map(TokenIssuer::name);
  }

  /** Whether a token that was verified is not too old by now. */
  public boolean isCurrent(Credential.SignedToken token) {
    return TokenTimes.of(token.claims())
        .filter(times -> times.refusal(clock.instant(), rules.get().limits()).isEmpty())
        .isPresent();
  }

  /** Signs operators on at the issuers, and has their ID tokens verified here. */
  public AuthorizationCodeFlow codeFlow() {
    return codeFlow;
  }

  /** Verifies the ID token that an issuer gave to a client. It is not remembered. May block. */
  TokenVerdict verifyIdToken(String idToken, TokenIssuer issuer, String client) {
    Rules now = rules.get();
    if (!JwtParts.isShapeOf(idToken)) {
      return refused(Refusal.TOKEN_MALFORMED, issuer);
    }
    if (idToken.length() > now.limits().get(Limit.SIGN_ON_TOKEN_BYTES_MAX)) {
      return refused(Refusal.TOKEN_TOO_LARGE, issuer);
    }
    Optional<JwtParts> parts = JwtParts.of(idToken);
    if (parts.isEmpty()) {
      return refused(Refusal.TOKEN_MALFORMED, issuer);
    }
    return issuer.issuer().equals(parts.get().claims().all().get("iss"))
        ? verdict(parts.get(), issuer, Set.of(client), now, known -> known)
        : refused(Refusal.TOKEN_ISSUER, issuer);
  }

  /**
   * Uses the issuers of rules that come into force: reads their keys before a token needs them,
   * without waiting for it, and forgets those of other issuers.
   */
  public void use(Rules active) {
    List<TokenIssuer> issuers = active.principals().signOn().issuers();
    refusals.register(issuers);
    Set<KeySettings> used =
        issuers.stream().map(it -> KeySettings.of(it, active.limits())).collect(toSet());
    keys.forEach((settings, unused) -> {
      if (!used.contains(settings) && keys.remove(settings, unused)) {
        unused.close();
      }
    });
    keyAges.show(issuers.stream().collect(toMap(TokenIssuer::name, it -> keysOf(it, active))));
    for (TokenIssuer issuer : issuers) {
      var _ = threads.submit(() -> keysOf(issuer, active).prepare());
    }
  }

  private Optional<TokenVerdict> atOnce(BearerToken token) {
    Rules now = rules.get();
    if (now.principals().signOn().issuers().isEmpty()
        || !JwtParts.isShapeOf(token.text())
        || now.principals().with(new Credential.Token(token.hash())).isPresent()) {
      return Optional.of(TokenVerdict.OPAQUE);
    }
    if (token.text().length() > now.limits().get(Limit.SIGN_ON_TOKEN_BYTES_MAX)) {
      return Optional.of(refused(Refusal.TOKEN_TOO_LARGE, null));
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
        .map(it -> refused(it, known.issuer))
        .orElseGet(() -> new TokenVerdict.Signed(known.token));
  }

  private TokenVerdict verdict(BearerToken token) {
    Rules now = rules.get();
    Optional<JwtParts> parts = JwtParts.of(token.text());
    if (parts.isEmpty()) {
      return refused(Refusal.TOKEN_MALFORMED, null);
    }
    Optional<TokenIssuer> issuer =
        Optional.ofNullable(parts.get().claims().all().get("iss"))
            .flatMap(it -> now.principals().signOn().issuer(it.toString()));
    return issuer.isEmpty()
        ? refused(Refusal.TOKEN_ISSUER, null)
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
        return refused(refusal.get(), issuer);
      }
      if (times.isEmpty()) {
        return refused(Refusal.TOKEN_MALFORMED, issuer);
      }
      if (Collections.disjoint(parts.claims().texts("aud"), audiences)) {
        return refused(Refusal.TOKEN_AUDIENCE, issuer);
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
              Cause.SIGN_ON_KEYS, now.limits().get(Limit.SIGN_ON_KEYS_PAUSE_SECONDS)),
          Optional.of(issuer.name()));
    }
  }

  private IssuerKeys keysOf(TokenIssuer issuer, Rules now) {
    KeySettings settings = KeySettings.of(issuer, now.limits());
    IssuerKeys known = keys.get(settings);
    return known == null
        ? keys.computeIfAbsent(settings, it -> new IssuerKeys(it, documents, clock))
        : known;
  }

  private static TokenVerdict refused(Refusal refusal, @Nullable TokenIssuer issuer) {
    return new TokenVerdict.Refused(
        new Unauthorized(refusal), Optional.ofNullable(issuer).map(TokenIssuer::name));
  }

  @Override
  public void close() {
    threads.shutdownNow();
    keys.values().forEach(IssuerKeys::close);
    documents.close();
  }
}
