package gatebook.command.rules;

import gatebook.events.call.Bytes;
import javax.security.auth.x500.X500Principal;

/** A credential: what a caller shows to be taken for a principal. */
public sealed interface Credential {

  /** A bearer token, of which only the SHA-256 is known. */
  record Token(Bytes hash) implements Credential {}

  /**
   * A name in a certificate that the server trusts.
   *
   * @param name of the subject in its canonical form, or {@code dns:}, {@code uri:} or {@code
   *     email:} with an alternative name
   */
  record Certificate(String name) implements Credential {

    public static Certificate of(X500Principal subject) {
      return new Certificate(subject.getName(X500Principal.CANONICAL));
    }
  }

  /**
   * A token that an issuer signed.
   *
   * @param issuer as the token names it
   */
  record SignedToken(String issuer, Claims claims) implements Credential {}
}
