package gatebook.api.signon;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.nimbusds.jose.KeySourceException;
import gatebook.command.rules.ClientTlsFiles;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

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
    KeySettings settings =
        new KeySettings(
            issuer.url(),
            Optional.empty(),
            ClientTlsFiles.NONE,
            200,
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

  private void awaitKey(IssuerKeys keys) {
    await()
        .ignoreExceptionsInstanceOf(KeySourceException.class)
        .until(() -> keys.of(issuer.header().build()).size() == 1);
  }
}
