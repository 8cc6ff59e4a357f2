package gatebook.api.signon;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.util.Base64URL;
import gatebook.api.gateway.BearerToken;
import gatebook.api.gateway.message.TokenVerdict;
import gatebook.command.rules.ClientTlsFiles;
import gatebook.command.rules.Credential;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import gatebook.command.rules.Rules;
import gatebook.command.rules.SignOn;
import gatebook.command.rules.TokenIssuer;
import gatebook.events.fault.Misdirected.Refusal;
import gatebook.events.fault.Misdirected.Unauthorized;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A token is what its issuer signed for this gateway, now, or it is refused with its reason. */
final class TokenVerifierTest {
  private static final Instant NOW = Instant.parse("2026-11-27T12:00:00Z");

  private LoopbackIssuer issuer;
  private final MeterRegistry meters = new SimpleMeterRegistry();
  private TokenVerifier verifier;
  private GatewayLimits limits = GatewayLimits.DEFAULT;
  private List<TokenIssuer> issuers;
  private Instant now = NOW;

  @BeforeEach
  void start() throws IOException {
    issuer = new LoopbackIssuer();
    issuers = List.of(issuer.rules());
    verifier = new TokenVerifier(this::rules, meters, () -> now);
  }

  @AfterEach
  void stop() {
    verifier.close();
    issuer.close();
  }

  private Rules rules() {
    return SignOnRules.of(new SignOn(issuers), limits);
  }

  @Test
  void aTokenOfTheIssuerIsVerifiedOnceAndRemembered() {
    String token = issuer.token(issuer.claims(NOW));

    assertThat(verifier.verify(bearer(token)).join()).isInstanceOf(TokenVerdict.Signed.class);
    issuer.answerKeysWith(new LoopbackIssuer.Answer(500, Map.of(), ""));
    assertThat(verifier.verify(bearer(token)))
        .isCompletedWithValue(
            new TokenVerdict.Signed(
                new Credential.SignedToken(
                    issuer.url(), JwtParts.of(token).orElseThrow().claims())));
    assertThat(issuer.keyRequests()).isOne();
  }

  @ParameterizedTest
  @ValueSource(strings = {"letmein", "a.b.c", "eyJhbGciOiJFUzI1NiJ9", "eyJh.eyJ", "ey J.e.s"})
  void whatIsNoSignedTokenIsLeftToItsHash(String token) {
    assertThat(verifier.verify(bearer(token))).isCompletedWithValue(TokenVerdict.OPAQUE);
  }

  @Test
  void withoutAnIssuerEveryTokenIsLeftToItsHash() {
    String token = issuer.token(issuer.claims(NOW));
    issuers = List.of();

    assertThat(verdict(token)).isEqualTo(TokenVerdict.OPAQUE);
  }

  @ParameterizedTest
  @CsvSource({
    "iss, https://other.example, TOKEN_ISSUER",
    "iss, , TOKEN_ISSUER",
    "aud, https://other.example, TOKEN_AUDIENCE",
    "aud, , TOKEN_AUDIENCE",
    "exp, , TOKEN_MALFORMED",
    "exp, tomorrow, TOKEN_MALFORMED",
    "iat, , TOKEN_MALFORMED",
    "nbf, never, TOKEN_MALFORMED"
  })
  void aWrongOrMissingClaimIsRefused(String claim, String value, Refusal refusal) {
    Map<String, Object> claims = issuer.claims(NOW);
    claims.put(claim, value);
    if (value == null) {
      claims.remove(claim);
    }

    assertThat(verdict(issuer.token(claims))).isEqualTo(refused(refusal));
  }

  @Test
  void oneOfSeveralAudiencesIsEnough() {
    Map<String, Object> claims = issuer.claims(NOW);
    claims.put("aud", List.of("https://other.example", LoopbackIssuer.AUDIENCE));

    assertThat(verdict(issuer.token(claims))).isInstanceOf(TokenVerdict.Signed.class);
  }

  @ParameterizedTest
  @CsvSource({
    "-299, -300, 0, TOKEN_EXPIRED", // skew of 60 s: expired 300 s ago
    "-1000, -60, 0, TOKEN_EXPIRED",
    "-1000, -59, 0, ",
    "60, 600, 0, ",
    "61, 600, 0, TOKEN_NOT_YET_VALID",
    "0, 600, 60, ",
    "0, 600, 61, TOKEN_NOT_YET_VALID",
    "-86459, 600, 0, ", // a day and the skew
    "-86460, 600, 0, TOKEN_EXPIRED"
  })
  void timesAreAcceptedWithinTheLimits(
      long issuedAfter, long expiresAfter, long validAfter, Refusal refusal) {
    Map<String, Object> claims = issuer.claims(NOW);
    claims.put("iat", NOW.getEpochSecond() + issuedAfter);
    claims.put("exp", NOW.getEpochSecond() + expiresAfter);
    claims.put("nbf", NOW.getEpochSecond() + validAfter);

    assertThat(refusal(verdict(issuer.token(claims)))).isEqualTo(Optional.ofNullable(refusal));
  }

  @Test
  void aRememberedTokenExpires() {
    String token = issuer.token(issuer.claims(NOW));
    assertThat(verdict(token)).isInstanceOf(TokenVerdict.Signed.class);

    now = NOW.plusSeconds(359);
    assertThat(verdict(token)).isInstanceOf(TokenVerdict.Signed.class);
    now = NOW.plusSeconds(360);
    assertThat(verdict(token)).isEqualTo(refused(Refusal.TOKEN_EXPIRED));
  }

  @Test
  void theSizeOfATokenIsLimited() {
    Map<String, Object> claims = issuer.claims(NOW);
    claims.put("padding", "x");
    int bytes = issuer.token(claims).length();

    limits = limits.with(Limit.SIGN_ON_TOKEN_BYTES_MAX, bytes);
    claims.put("padding", "x");
    assertThat(verdict(issuer.token(claims))).isInstanceOf(TokenVerdict.Signed.class);
    claims.put("padding", "xxxx");
    assertThat(verdict(issuer.token(claims))).isEqualTo(refused(Refusal.TOKEN_TOO_LARGE));
    claims.put("padding", "x".repeat(1 << 20));
    assertThat(verdict(issuer.token(claims))).isEqualTo(refused(Refusal.TOKEN_TOO_LARGE));
  }

  @Test
  void anUnsignedTokenIsRefused() {
    String token =
        Base64URL.encode("{\"alg\":\"none\"}")
            + "."
            + new Payload(issuer.claims(NOW)).toBase64URL()
            + ".";

    assertThat(verdict(token)).isEqualTo(refused(Refusal.TOKEN_ALGORITHM));
  }

  @Test
  void thePublicKeyIsNoSharedSecret() throws JOSEException {
    byte[] publicKey = issuer.key().toPublicJWK().toJSONString().getBytes(UTF_8);
    String token =
        LoopbackIssuer.signed(
            new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("first"),
            new Payload(issuer.claims(NOW)),
            new MACSigner(publicKey));

    assertThat(verdict(token)).isEqualTo(refused(Refusal.TOKEN_ALGORITHM));
  }

  @Test
  void anAlgorithmThatIsNotListedIsRefused() {
    JWSHeader.Builder header = new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("first");
    issuers =
        List.of(
            new TokenIssuer(
                "corp",
                issuer.url(),
                issuer.rules().audiences(),
                Optional.empty(),
                ClientTlsFiles.NONE,
                Set.of("RS256"),
                "sub",
                "groups",
                issuer.rules().callers(),
                Map.of(),
                Optional.empty()));

    assertThat(verdict(issuer.signed(header, new Payload(issuer.claims(NOW)))))
        .isEqualTo(refused(Refusal.TOKEN_ALGORITHM));
  }

  @Test
  void theNameOfAKeyIsNotFollowed() {
    for (String kid :
        List.of("../../../dev/null", "' OR 1=1 --", issuer.url() + "/keys", "first\u0000", "")) {
      String token =
          issuer.signed(
              new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(kid),
              new Payload(issuer.claims(NOW)));

      assertThat(verdict(token)).as(kid).isEqualTo(refused(Refusal.TOKEN_KEY_UNKNOWN));
    }
  }

  @Test
  void unknownKeysAreLookedForSeldom() {
    for (int i = 0; i < 200; i++) {
      String token =
          issuer.signed(
              new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("unknown-" + i),
              new Payload(issuer.claims(NOW)));
      assertThat(verdict(token)).isEqualTo(refused(Refusal.TOKEN_KEY_UNKNOWN));
    }

    assertThat(issuer.keyRequests()).isLessThanOrEqualTo(2);
    assertThat(verdict(issuer.token(issuer.claims(NOW)))).isInstanceOf(TokenVerdict.Signed.class);
  }

  @Test
  void keysThatTheTokenBringsAreNotUsed() throws JOSEException {
    ECKey own = LoopbackIssuer.newKey("first");
    String token =
        LoopbackIssuer.signed(
            new JWSHeader.Builder(JWSAlgorithm.ES256)
                .keyID("first")
                .jwk(own.toPublicJWK())
                .jwkURL(URI.create(issuer.url() + "/own"))
                .x509CertURL(URI.create(issuer.url() + "/own")),
            new Payload(issuer.claims(NOW)),
            new ECDSASigner(own));

    assertThat(verdict(token)).isEqualTo(refused(Refusal.TOKEN_SIGNATURE));
    assertThat(issuer.keyRequests()).isOne();
  }

  @Test
  void aChangedClaimBreaksTheSignature() {
    String[] parts = issuer.token(issuer.claims(NOW)).split("\\.", -1);
    Map<String, Object> claims = issuer.claims(NOW);
    claims.put("sub", "root");

    assertThat(verdict(parts[0] + "." + new Payload(claims).toBase64URL() + "." + parts[2]))
        .isEqualTo(refused(Refusal.TOKEN_SIGNATURE));
    assertThat(verdict(parts[0] + "." + parts[1] + "."))
        .isEqualTo(refused(Refusal.TOKEN_SIGNATURE));
  }

  @Test
  void whatIsNoTokenOfOneMeaningIsMalformed() {
    String payload = new Payload(issuer.claims(NOW)).toString();
    String twice = payload.substring(0, payload.length() - 1) + ",\"sub\":\"root\"}";
    String nested = "[".repeat(1_000);
    JWSHeader.Builder critical =
        issuer.header().criticalParams(Set.of("exp")).customParam("exp", 1);

    for (String token :
        List.of(
            issuer.signed(issuer.header(), new Payload(twice)),
            issuer.signed(issuer.header(), new Payload(nested)),
            issuer.signed(issuer.header(), new Payload("null")),
            issuer.signed(issuer.header(), new Payload(issuer.token(issuer.claims(NOW)))),
            issuer.signed(critical, new Payload(payload)),
            issuer.signed(
                issuer.header().type(new JOSEObjectType("logout+jwt")), new Payload(payload)),
            "eyJhbGciOiJSU0EtT0FFUCJ9.a.b.c.d",
            "eyJhbGciOiJFUzI1NiJ9._.a")) {
      assertThat(refusal(verdict(token))).as(token).contains(Refusal.TOKEN_MALFORMED);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"JWT", "jwt", "at+jwt", "application/at+jwt"})
  void theTypesOfTokensForCallersAreAccepted(String type) {
    String token =
        issuer.signed(
            issuer.header().type(new JOSEObjectType(type)), new Payload(issuer.claims(NOW)));

    assertThat(verdict(token)).isInstanceOf(TokenVerdict.Signed.class);
  }

  @Test
  void aNewKeyOfTheIssuerIsFound() {
    assertThat(verdict(issuer.token(issuer.claims(NOW)))).isInstanceOf(TokenVerdict.Signed.class);
    issuer.rotate();

    assertThat(verdict(issuer.token(issuer.claims(NOW)))).isInstanceOf(TokenVerdict.Signed.class);
  }

  @Test
  void withoutKeysTheServerIsAtFault() {
    String token = issuer.token(issuer.claims(NOW));

    for (LoopbackIssuer.Answer answer :
        List.of(
            new LoopbackIssuer.Answer(500, Map.of(), ""),
            new LoopbackIssuer.Answer(200, Map.of(), "no keys"))) {
      issuer.answerKeysWith(answer);
      assertThat(verdict(token)).isEqualTo(unavailable());
    }
  }

  @Test
  void keysAreReadFromNoOtherPlace() {
    String token = issuer.token(issuer.claims(NOW));
    issuer.answerKeysWith(
        new LoopbackIssuer.Answer(302, Map.of("Location", issuer.url() + "/keys"), ""));

    assertThat(verdict(token)).isInstanceOf(TokenVerdict.Refused.class);
    assertThat(issuer.keyRequests()).isOne();
  }

  @Test
  void theMetadataMustBeThatOfTheIssuer() {
    String token = issuer.token(issuer.claims(NOW));
    issuer.publish(Map.of("issuer", "https://other.example", "jwks_uri", issuer.url() + "/keys"));

    assertThat(verdict(token)).isEqualTo(unavailable());
    assertThat(issuer.keyRequests()).isZero();
  }

  @Test
  void theKeySetIsLimitedInBytes() {
    String token = issuer.token(issuer.claims(NOW));
    String keys = LoopbackIssuer.published(issuer.key()).body();
    limits = limits.with(Limit.SIGN_ON_KEYS_BYTES_MAX, 1_024);

    issuer.answerKeysWith(
        new LoopbackIssuer.Answer(200, Map.of(), keys + " ".repeat(1_025 - keys.length())));
    assertThat(verdict(token)).isInstanceOf(TokenVerdict.Refused.class);
    issuer.answerKeysWith(
        new LoopbackIssuer.Answer(200, Map.of(), keys + " ".repeat(1_024 - keys.length())));
    assertThat(verdict(token)).isInstanceOf(TokenVerdict.Signed.class);
  }

  @Test
  void aTokenIsVerifiedAgainWhenKeysAreTooOld() {
    String token = issuer.token(issuer.claims(NOW));
    assertThat(verdict(token)).isInstanceOf(TokenVerdict.Signed.class);
    replaceKey();

    now = NOW.plusSeconds(299);
    assertThat(verdict(token)).isInstanceOf(TokenVerdict.Signed.class);
    now = NOW.plusSeconds(300);
    assertThat(verdict(token)).isEqualTo(refused(Refusal.TOKEN_KEY_UNKNOWN));
  }

  @ParameterizedTest
  @CsvSource({"2, false", "3, true"})
  void theTokensThatAreRememberedAreLimited(int max, boolean remembered) {
    limits = limits.with(Limit.SIGN_ON_TOKENS_MAX, max);
    List<String> tokens =
        List.of(issuer.token(issuer.claims(NOW)), issuer.token(issuer.claims(NOW)));
    assertThat(tokens)
        .allSatisfy(it -> assertThat(verdict(it)).isInstanceOf(TokenVerdict.Signed.class));
    replaceKey();

    assertThat(verdict(tokens.getFirst()) instanceof TokenVerdict.Signed).isEqualTo(remembered);
  }

  /** The issuer has another key, and it was found. */
  private void replaceKey() {
    issuer.rotate();
    assertThat(verdict(issuer.token(issuer.claims(now)))).isInstanceOf(TokenVerdict.Signed.class);
  }

  @Test
  void anIssuerThatDoesNotAnswerIsNotWaitedFor() {
    limits = limits.with(Limit.SIGN_ON_KEYS_MILLIS_MAX, 100);
    issuer.stall();

    assertThat(verdict(issuer.token(issuer.claims(NOW)))).isEqualTo(unavailable());
  }

  @Test
  void keysOfAnIssuerThatIsNotUsedAreClosed() {
    verifier.use(rules());
    assertThat(verdict(issuer.token(issuer.claims(NOW)))).isInstanceOf(TokenVerdict.Signed.class);
    assertThat(meters.find("gatebook.sign.on.keys.age").tag("issuer", "corp").gauge())
        .satisfies(gauge -> assertThat(gauge.value()).isZero());

    issuers = List.of();
    verifier.use(rules());
    assertThat(meters.find("gatebook.sign.on.keys.age").gauge()).isNull();
  }

  private TokenVerdict verdict(String token) {
    return verifier.verify(bearer(token)).join();
  }

  private static BearerToken bearer(String token) {
    return BearerToken.of(List.of("Bearer " + token)).orElseThrow();
  }

  private static TokenVerdict refused(Refusal refusal) {
    return new TokenVerdict.Refused(
        new Unauthorized(refusal), known(refusal) ? Optional.of("corp") : Optional.empty());
  }

  /** Whether the issuer is known before the token is refused for this reason. */
  private static boolean known(Refusal refusal) {
    return switch (refusal) {
      case TOKEN_ISSUER, TOKEN_TOO_LARGE -> false;
      default -> true;
    };
  }

  private static TokenVerdict unavailable() {
    return new TokenVerdict.Refused(
        new ServiceUnavailable(Cause.SIGN_ON_KEYS, 30L), Optional.of("corp"));
  }

  private static Optional<Refusal> refusal(TokenVerdict verdict) {
    return verdict instanceof TokenVerdict.Refused(Unauthorized(var refusal), _)
        ? Optional.of(refusal)
        : Optional.empty();
  }
}
