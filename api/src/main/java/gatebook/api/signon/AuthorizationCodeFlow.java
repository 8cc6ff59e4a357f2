package gatebook.api.signon;

import com.nimbusds.jose.jwk.source.JWKSetUnavailableException;
import gatebook.api.gateway.message.TokenVerdict;
import gatebook.command.rules.Claims;
import gatebook.command.rules.Credential;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.SignOnClient;
import gatebook.command.rules.TokenIssuer;
import gatebook.events.fault.Misdirected.Unauthorized;
import java.net.URI;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Signs operators on at authorization servers by OpenID Connect: the authorization code flow with
 * PKCE. What a server says is believed once its ID token was verified.
 */
public final class AuthorizationCodeFlow {
  private static final Logger LOG = LoggerFactory.getLogger(AuthorizationCodeFlow.class);

  private final TokenVerifier tokenVerifier;
  private final IssuerDocuments documents;
  private final CodeExchange codeExchange;
  private final InstantSource clock;
  private final Map<KeySettings, Reading> metadata = new HashMap<>();

  /** Metadata that are being read, or were; empty when they could not be. */
  private record Reading(
      CompletableFuture<Optional<AuthorizationEndpoints>> endpoints, Instant at) {
    boolean isFresh(Instant now, KeySettings settings) {
      long kept =
          endpoints.getNow(Optional.empty()).isPresent()
              ? settings.keptMillis()
              : settings.pauseMillis();
      return !endpoints.isDone() || now.isBefore(at.plusMillis(kept));
    }
  }

  AuthorizationCodeFlow(
      TokenVerifier tokenVerifier, IssuerDocuments documents, InstantSource clock) {
    this.tokenVerifier = tokenVerifier;
    this.documents = documents;
    this.codeExchange = new CodeExchange(documents);
    this.clock = clock;
  }

  /** Counts the refusals. */
  public SignInRefusals refusals() {
    return tokenVerifier.refusals();
  }

  /** The beginning of a sign-on. */
  public sealed interface Beginning {
    /** The browser is sent to this address. */
    record Sent(URI address) implements Beginning {}

    record Refused(SignOnRefusal refusal) implements Beginning {}
  }

  /** The end of a sign-on. */
  public sealed interface End {
    /** The authorization server knows the person. */
    record Verified(Credential.SignedToken token) implements End {}

    record Refused(SignOnRefusal refusal) implements End {}
  }

  /**
   * What an authorization server had the browser bring back.
   *
   * @param code empty where it refuses
   * @param issuer which the answer says it is of
   */
  public record Answer(Optional<String> code, Optional<String> issuer) {}

  /** May block. */
  public Beginning begin(
      TokenIssuer issuer,
      SignOnClient client,
      SignOnAttempt attempt,
      String state,
      GatewayLimits limits) {
    return endpoints(KeySettings.of(issuer, limits))
        .<Beginning>map(it -> new Beginning.Sent(it.address(client, attempt, state)))
        .orElseGet(() -> new Beginning.Refused(SignOnRefusal.METADATA));
  }

  /** May block. */
  public End end(
      TokenIssuer issuer,
      SignOnClient client,
      SignOnAttempt attempt,
      Answer answer,
      GatewayLimits limits) {
    KeySettings settings = KeySettings.of(issuer, limits);
    Optional<AuthorizationEndpoints> endpoints = endpoints(settings);
    if (endpoints.isEmpty()) {
      return new End.Refused(SignOnRefusal.METADATA);
    }
    if (!isOf(answer, issuer, endpoints.get())) {
      return new End.Refused(SignOnRefusal.ISSUER_MIXED_UP);
    }
    if (answer.code().isEmpty()) {
      return new End.Refused(SignOnRefusal.DENIED);
    }
    return switch (codeExchange.exchange(
        answer.code().get(), attempt, client, endpoints.get(), settings)) {
      case CodeExchange.Outcome.Exchanged(String idToken) ->
          verified(tokenVerifier.verifyIdToken(idToken, issuer, client.id()), attempt, client);
      case CodeExchange.Outcome.Refused(SignOnRefusal refusal) -> new End.Refused(refusal);
    };
  }

  /** An answer names its server; where servers do not, the address it came to is that of one. */
  private static boolean isOf(Answer answer, TokenIssuer issuer, AuthorizationEndpoints endpoints) {
    return answer.issuer().map(issuer.issuer()::equals).orElseGet(() -> !endpoints.namesItself());
  }

  private static End verified(TokenVerdict verdict, SignOnAttempt attempt, SignOnClient client) {
    return switch (verdict) {
      case TokenVerdict.Signed(Credential.SignedToken token) ->
          refusal(token.claims(), attempt, client)
              .<End>map(End.Refused::new)
              .orElseGet(() -> new End.Verified(token));
      case TokenVerdict.Refused(Unauthorized(var refusal), _) ->
          new End.Refused(SignOnRefusal.token(refusal));
      case TokenVerdict.Refused _ -> new End.Refused(SignOnRefusal.KEYS_UNAVAILABLE);
      case TokenVerdict.Opaque _ ->
          new End.Refused(SignOnRefusal.TOKEN_ENDPOINT); // what it sent is no signed token
    };
  }

  /** Why a valid ID token is not that of this sign-on: OpenID Connect Core, section 3.1.3.7. */
  private static Optional<SignOnRefusal> refusal(
      Claims claims, SignOnAttempt attempt, SignOnClient client) {
    if (!attempt.nonce().equals(claims.all().get("nonce"))) {
      return Optional.of(SignOnRefusal.NONCE);
    }
    Object party = claims.all().get("azp");
    boolean isForOthersToo = claims.all().get("aud") instanceof List<?> all && all.size() > 1;
    boolean isOfAnother = party == null ? isForOthersToo : !client.id().equals(party);
    return isOfAnother ? Optional.of(SignOnRefusal.AUTHORIZED_PARTY) : Optional.empty();
  }

  /** Reads metadata again only after a while, however many browsers come. */
  private Optional<AuthorizationEndpoints> endpoints(KeySettings settings) {
    Reading own = new Reading(new CompletableFuture<>(), clock.instant());
    Optional<Reading> known = known(settings, own);
    if (known.isEmpty()) {
      try {
        own.endpoints.complete(read(settings, documents));
      } finally {
        own.endpoints.complete(Optional.empty());
      }
    }
    return known.orElse(own).endpoints.join();
  }

  /** The reading that is known; empty when it is this one from now on. */
  private synchronized Optional<Reading> known(KeySettings settings, Reading own) {
    metadata.entrySet().removeIf(known -> !known.getValue().isFresh(own.at, known.getKey()));
    return Optional.ofNullable(metadata.putIfAbsent(settings, own));
  }

  private static Optional<AuthorizationEndpoints> read(
      KeySettings settings, IssuerDocuments documents) {
    boolean mayBePlain = "http".equalsIgnoreCase(settings.metadata().getScheme());
    try {
      Optional<AuthorizationEndpoints> endpoints =
          AuthorizationEndpoints.of(documents.metadata(settings), mayBePlain);
      if (endpoints.isEmpty()) {
        failed(settings, "they have no usable authorization_endpoint and token_endpoint");
      }
      return endpoints;
    } catch (JWKSetUnavailableException e) {
      failed(settings, String.valueOf(e.getMessage()));
      return Optional.empty();
    }
  }

  private static void failed(KeySettings settings, String detail) {
    LOG.atWarn()
        .addKeyValue("issuer", settings.issuer())
        .addKeyValue("reason", SignOnRefusal.METADATA.reason())
        .addKeyValue("detail", detail)
        .log("nobody can sign in at an issuer: its metadata cannot be used");
  }
}
