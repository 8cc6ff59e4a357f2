package gatebook.api.http.tls;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.handler.ssl.SslContext;
import java.io.File;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Collections;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A private key and the chain of certificates that belongs to it. */
@SuppressWarnings("ArrayRecordComponent") // compared by isSame
record CertifiedKey(PrivateKey key, X509Certificate[] chain) {

  /** The first one of a store; fails when there is none, or when its parts do not go together. */
  static CertifiedKey in(KeyStore store, Optional<String> password)
      throws GeneralSecurityException {
    char[] secret = password.map(String::toCharArray).orElse(null);
    for (String alias : Collections.list(store.aliases())) {
      if (store.getCertificateChain(alias) != null
          && store.getKey(alias, secret) instanceof PrivateKey key) {
        return new CertifiedKey(
                key,
                Arrays.copyOf(
                    store.getCertificateChain(alias),
                    store.getCertificateChain(alias).length,
                    X509Certificate[].class))
            .checked();
      }
    }
    throw new GeneralSecurityException("there is no private key with a certificate");
  }

  /** Reads a store in PKCS#12, whose key has the same password. */
  static CertifiedKey in(File store, String password) throws GeneralSecurityException, IOException {
    return in(KeyStore.getInstance(store, password.toCharArray()), Optional.of(password));
  }

  /** Reads two files in PEM; fails when they cannot be read, or do not go together. */
  static CertifiedKey inPem(File certificates, File key, Optional<String> password)
      throws GeneralSecurityException, IOException {
    return new CertifiedKey(Pem.key(key, password.orElse(null)), Pem.certificates(certificates))
        .checked();
  }

  /** Opens Netty's reader of PEM, which only its subclasses may use. */
  private abstract static class Pem extends SslContext {
    static PrivateKey key(File file, @Nullable String password)
        throws GeneralSecurityException, IOException {
      return toPrivateKey(file, password);
    }

    static X509Certificate[] certificates(File file) throws GeneralSecurityException {
      return toX509Certificates(file);
    }
  }

  boolean isSame(@Nullable CertifiedKey other) {
    return other != null && key.equals(other.key) && Arrays.equals(chain, other.chain);
  }

  X509Certificate certificate() {
    return chain[0];
  }

  private CertifiedKey checked() throws GeneralSecurityException {
    PublicKey certified = certificate().getPublicKey();
    Signature signature = Signature.getInstance(signatureOf(certified));
    byte[] text = "gatebook".getBytes(UTF_8);
    signature.initSign(key);
    signature.update(text);
    byte[] signed = signature.sign();
    signature.initVerify(certified);
    signature.update(text);
    if (!signature.verify(signed)) {
      throw new GeneralSecurityException("the private key is not that of the certificate");
    }
    return this;
  }

  private static String signatureOf(PublicKey key) {
    return switch (key.getAlgorithm()) {
      case "RSA" -> "SHA256withRSA";
      case "EC" -> "SHA256withECDSA";
      default -> key.getAlgorithm();
    };
  }
}
