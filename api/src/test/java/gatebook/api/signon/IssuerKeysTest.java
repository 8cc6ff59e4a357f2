package gatebook.api.signon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.KeySourceException;
import gatebook.api.http.tls.TestCertificates;
import gatebook.command.rules.ClientTlsFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The keys of an issuer are read again in time, and kept for a while when they cannot be. */
final class IssuerKeysTest {
  private static final LoopbackIssuer.Answer BROKEN = new LoopbackIssuer.Answer(500, Map.of(), "");

  private final IssuerDocuments documents = new IssuerDocuments();
  private LoopbackIssuer issuer;

  @BeforeEach
  void start() throws IOException {
    issuer = new LoopbackIssuer();
  }

  @AfterEach
  void stop() {
    documents.close();
    issuer.close();
  }

  private IssuerKeys keys(long outageMillis) {
    return keys(issuer, Optional.empty(), 200, outageMillis);
  }

  private IssuerKeys keys(
      LoopbackIssuer of, Optional<Path> authorities, long keptMillis, long outageMillis) {
    KeySettings settings =
        new KeySettings(
            of.url(),
            Optional.empty(),
            authorities
                .map(file ->
                    new ClientTlsFiles(
                        Optional.of(file), Optional.empty(), Optional.empty(), Optional.empty()))
                .orElse(ClientTlsFiles.NONE),
            keptMillis,
            100,
            outageMillis,
            5_000,
            5_000,
            8_192,
            65_536);
    return new IssuerKeys(settings, documents, InstantSource.system());
  }

  @Test
  void keysAreReadAgainWithoutAToken() {
    try (IssuerKeys keys = keys(60_000)) {
      keys.prepare();

      await().until(() -> issuer.keyRequests() > 2);
    }
  }

  @Test
  void keysAreKeptWhileTheyCannotBeRead() {
    try (IssuerKeys keys = keys(60_000)) {
      keys.prepare();
      issuer.answerKeysWith(BROKEN);
      int before = issuer.keyRequests();

      await().until(() -> issuer.keyRequests() > before + 2);
      awaitKey(keys);
    }
  }

  @Test
  void keysAreNotKeptLongerThanAllowed() {
    try (IssuerKeys keys = keys(0)) {
      keys.prepare();
      issuer.answerKeysWith(BROKEN);

      await()
          .untilAsserted(() ->
              assertThatThrownBy(() -> keys.of(issuer.header().build()))
                  .isInstanceOf(KeySourceException.class));
      issuer.answerKeysWith(LoopbackIssuer.published(issuer.key()));
      awaitKey(keys);
    }
  }

  @Test
  void theServerOfAnIssuerMustBeCertified(@TempDir Path folder) throws Exception {
    TestCertificates certificates = TestCertificates.in(folder);
    var _ = certificates.make("issuer");
    try (LoopbackIssuer secure = LoopbackIssuer.by(tls(certificates.store("issuer", "secret")))) {
      JWSHeader header = secure.header().build();
      try (IssuerKeys unknown = keys(secure, Optional.empty(), 60_000, 0);
          IssuerKeys known = keys(secure, Optional.of(certificates.authority()), 60_000, 0)) {
        assertThatThrownBy(() -> unknown.of(header)).isInstanceOf(KeySourceException.class);
        assertThat(known.of(header)).hasSize(1);
      }
    }
  }

  private static SSLContext tls(Path store) throws Exception {
    KeyStore keys = KeyStore.getInstance(store.toFile(), "secret".toCharArray());
    KeyManagerFactory managers = KeyManagerFactory.getInstance("PKIX");
    managers.init(keys, "secret".toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    return context;
  }

  private void awaitKey(IssuerKeys keys) {
    await()
        .ignoreExceptionsInstanceOf(KeySourceException.class)
        .until(() -> keys.of(issuer.header().build()).size() == 1);
  }
}
