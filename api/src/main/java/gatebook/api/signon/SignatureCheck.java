package gatebook.api.signon;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.crypto.factories.DefaultJWSVerifierFactory;
import com.nimbusds.jose.util.Base64URL;
import gatebook.command.rules.TokenIssuer;
import gatebook.events.fault.Misdirected.Refusal;
import java.security.Key;
import java.text.ParseException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks the signature of a token with the keys of its issuer. Keys and addresses of keys that are
 * in the token itself are not used.
 */
final class SignatureCheck {
  private static final String TYPE = "typ";

  /** Tokens for other uses are signed with the same keys, and say so by their type. */
  private static final Set<String> TYPES = Set.of("jwt", "at+jwt", "application/at+jwt");

  private static final DefaultJWSVerifierFactory VERIFIERS = new DefaultJWSVerifierFactory();

  private SignatureCheck() {}

  /**
   * Why the signature is not that of the issuer; empty when it is. May block.
   *
   * @throws KeySourceException when the keys of the issuer are not known
   */
  static Optional<Refusal> refusal(JwtParts parts, TokenIssuer issuer, IssuerKeys issuerKeys)
      throws KeySourceException {
    Map<String, @Nullable Object> header = parts.header();
    if (!(header.get("alg") instanceof String algorithm)
        || !issuer.algorithms().contains(algorithm)) {
      return Optional.of(Refusal.TOKEN_ALGORITHM);
    }
    if (header.containsKey("crit") || !isOfType(header)) {
      return Optional.of(Refusal.TOKEN_MALFORMED);
    }
    Optional<JWSHeader> jwsHeader = header(parts);
    if (jwsHeader.isEmpty()) {
      return Optional.of(Refusal.TOKEN_MALFORMED);
    }
    List<? extends Key> keys = issuerKeys.of(jwsHeader.get());
    if (keys.isEmpty()) {
      return Optional.of(Refusal.TOKEN_KEY_UNKNOWN);
    }
    return keys.stream().anyMatch(key -> isSignedWith(key, jwsHeader.get(), parts))
        ? Optional.empty()
        : Optional.of(Refusal.TOKEN_SIGNATURE);
  }

  private static boolean isOfType(Map<String, @Nullable Object> header) {
    return !header.containsKey(TYPE)
        || (header.get(TYPE) instanceof String type
            && TYPES.contains(type.toLowerCase(Locale.ROOT)));
  }

  private static Optional<JWSHeader> header(JwtParts parts) {
    try {
      return Optional.of(
          JWSHeader.parse(
              Base64URL.from(parts.signedText().substring(0, parts.signedText().indexOf('.')))));
    } catch (ParseException | IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  private static boolean isSignedWith(Key key, JWSHeader header, JwtParts parts) {
    try {
      return VERIFIERS
          .createJWSVerifier(header, key)
          .verify(header, parts.signedBytes(), Base64URL.from(parts.signature()));
    } catch (JOSEException _) {
      return false; // a key for another algorithm
    }
  }
}
