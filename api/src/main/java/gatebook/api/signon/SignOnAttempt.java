package gatebook.api.signon;

import static java.nio.charset.StandardCharsets.US_ASCII;

import gatebook.events.journal.tree.Sha256;
import java.net.URI;
import java.util.Base64;

/**
 * A sign-on of an operator that was sent to an authorization server: what it must match when it
 * comes back.
 *
 * @param issuer the name of the issuer here
 * @param redirect the address that the browser comes back to
 * @param nonce which the ID token must have
 * @param verifier whose hash the authorization server has
 */
public record SignOnAttempt(String issuer, URI redirect, String nonce, String verifier) {
  /** The hash of the verifier, as RFC 7636 has it for {@code S256}. */
  String challenge() {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(Sha256.of(verifier.getBytes(US_ASCII)));
  }

  @Override
  public String toString() {
    return "SignOnAttempt[" + issuer + "]";
  }
}
