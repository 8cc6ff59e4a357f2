package gatebook.api.http.tls;

import gatebook.events.journal.storage.OngoingFailure;
import gatebook.events.journal.storage.StorageFailure;
import io.micronaut.http.ssl.CertificateProvider;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Instant;
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
  private static final char[] NO_PASSWORD = {};

  private final Optional<String> password;
  private final ExpiryWarning warning = new ExpiryWarning("ports");
  private final OngoingFailure mismatch = new OngoingFailure();
  private final Flux<KeyStore> changes;
  private volatile @Nullable CertifiedKey used;
  private volatile String refusal = "nothing was read";

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
    expiresAt().ifPresent(it -> warning.check(it, Instant.now()));
    return store;
  }

  private @Nullable KeyStore next(KeyStore read) {
    try {
      CertifiedKey identity = CertifiedKey.in(read, password);
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

  private static KeyStore store(CertifiedKey identity)
      throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry(TlsFiles.SERVER, identity.key(), NO_PASSWORD, identity.chain());
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
