package gatebook.api.http.tls;

import io.micronaut.http.ssl.CertificateProvider;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.cert.Certificate;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;

/**
 * The authorities of clients, whenever they have changed: each change costs every port a new
 * context, and its clients their sessions.
 *
 * @param files what is in the file whenever it was read
 */
public record ClientAuthorities(CertificateProvider files) implements CertificateProvider {

  @Override
  public String getName() {
    return TlsFiles.CLIENTS;
  }

  @Override
  public Publisher<KeyStore> getKeyStore() {
    return Flux.from(files.getKeyStore()).distinctUntilChanged(ClientAuthorities::certificates);
  }

  private static Set<Certificate> certificates(KeyStore store) {
    try {
      Set<Certificate> certificates = new HashSet<>();
      for (String alias : Collections.list(store.aliases())) {
        certificates.add(store.getCertificate(alias));
      }
      return certificates;
    } catch (KeyStoreException e) {
      throw new IllegalStateException("a store in memory", e);
    }
  }
}
