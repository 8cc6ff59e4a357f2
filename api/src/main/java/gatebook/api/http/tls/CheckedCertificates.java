package gatebook.api.http.tls;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.journal.storage.OngoingFailure;
import gatebook.events.journal.storage.StorageFailure;
import io.micronaut.http.ssl.CertificateProvider;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;

/**
 * The server's certificate and key, as they are used: those in the files when they belong together,
 * else those of before. So a file that is replaced before the other one does no harm.
 */
public final class CheckedCertificates implements CertificateProvider {
  private static final Logger log = LoggerFactory.getLogger(CheckedCertificates.class);
  private static final Duration WARNED = Duration.ofDays(30);
  private static final char[] NO_PASSWORD = {};

  private final Optional<String> password;
  private final OngoingFailure mismatch = new OngoingFailure();
  private final Flux<KeyStore> changes;
  private volatile @Nullable Identity used;
  private Instant warnedAt = Instant.MIN;
  private volatile String refusal = "nothing was read";

  /** A key with its chain. */
  @SuppressWarnings("ArrayRecordComponent") // compared by isSame
  private record Identity(PrivateKey key, Certificate[] chain) {

    boolean isSame(@Nullable Identity other) {
      return other != null && key.equals(other.key) && Arrays.equals(chain, other.chain);
    }

    X509Certificate certificate() {
      return (X509Certificate) chain[0];
    }
  }

  /**
   * @param files what is in the files, whenever they were read
   * @param password of the key in the files
   */
  public CheckedCertificates(Supplier<CertificateProvider> files, Optional<String> password) {
    this.password = password;
    this.changes =
        Flux.defer(() -> Flux.from(files.get().getKeyStore()))
            .mapNotNull(this::changed)
            .replay(1)
            .autoConnect();
  }

  @Override
  public String getName() {
    return TlsFiles.SERVER;
  }

  @Override
  public Publisher<KeyStore> getKeyStore() {
    return changes;
  }

  /**
   * Reads the files for the first time, and returns why they cannot be used; empty when they can.
   */
  public Optional<String> firstRefusal() {
    try {
      var _ = changes.subscribe();
      return used == null ? Optional.of(refusal) : Optional.empty();
    } catch (RuntimeException e) {
      return Optional.of(reason(e));
    }
  }

  /** When the certificate that is used expires; empty before one is. */
  public Optional<Instant> expiresAt() {
    return Optional.ofNullable(used).map(it -> it.certificate().getNotAfter().toInstant());
  }

  /** What is used from now on; null when that does not change. */
  private @Nullable KeyStore changed(KeyStore read) {
    KeyStore store = next(read);
    warnOfExpiry(Instant.now());
    return store;
  }

  /** Once a day in the last days of the certificate in use. */
  private void warnOfExpiry(Instant now) {
    Optional<Instant> expires = expiresAt();
    if (expires.filter(it -> it.minus(WARNED).isBefore(now)).isPresent()
        && warnedAt.isBefore(now.minus(Duration.ofDays(1)))) {
      warnedAt = now;
      log.atWarn()
          .addKeyValue("expires", expires.get())
          .log("the TLS certificate in use expires soon: replace its files");
    }
  }

  private @Nullable KeyStore next(KeyStore read) {
    try {
      Identity identity = identity(read);
      mismatch.end();
      if (identity.isSame(used)) {
        return null;
      }
      KeyStore store = store(identity);
      used = identity;
      log.atInfo()
          .addKeyValue("subject", identity.certificate().getSubjectX500Principal())
          .addKeyValue("expires", identity.certificate().getNotAfter().toInstant())
          .log("a TLS certificate is in use");
      return store;
    } catch (GeneralSecurityException | IOException e) {
      refusal = reason(e);
      if (used != null && mismatch.isNew(refusal)) {
        log.atError()
            .addKeyValue("reason", refusal)
            .log("the TLS certificate in the files is not used, but the one before");
      }
      return null;
    }
  }

  private Identity identity(KeyStore store) throws GeneralSecurityException {
    char[] secret = password.map(String::toCharArray).orElse(null);
    for (String alias : Collections.list(store.aliases())) {
      Certificate[] chain = store.getCertificateChain(alias);
      if (chain != null && store.getKey(alias, secret) instanceof PrivateKey key) {
        requirePair(key, chain[0].getPublicKey());
        return new Identity(key, chain);
      }
    }
    throw new GeneralSecurityException("there is no private key with a certificate");
  }

  private static void requirePair(PrivateKey key, PublicKey certified)
      throws GeneralSecurityException {
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
  }

  private static String signatureOf(PublicKey key) {
    return switch (key.getAlgorithm()) {
      case "RSA" -> "SHA256withRSA";
      case "EC" -> "SHA256withECDSA";
      default -> key.getAlgorithm();
    };
  }

  private static KeyStore store(Identity identity) throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry(TlsFiles.SERVER, identity.key, NO_PASSWORD, identity.chain);
    return store;
  }

  /** The innermost message, which names the file or what is wrong in it. */
  public static String reason(Throwable failure) {
    Throwable innermost = failure;
    while (innermost.getCause() != null) {
      innermost = innermost.getCause();
    }
    return StorageFailure.describe(innermost);
  }
}
