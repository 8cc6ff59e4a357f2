package gatebook.api.http.tls;

import io.micronaut.http.ssl.ClientAuthentication;
import io.micronaut.http.ssl.FileCertificateProvider;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The files with which both ports speak TLS.
 *
 * @param certificate the chain in PEM, or a store in PKCS#12 that has the key, too
 * @param key the private key in PEM; empty for a store
 * @param password of the key or the store
 * @param clientAuthorities certificates in PEM that sign those of clients; empty when none are
 *     asked for
 * @param reread how often the files are read again: where a directory's link is replaced, as for
 *     secrets of Kubernetes, the system tells of no change of a file
 */
public record TlsFiles(
    Path certificate,
    Optional<Path> key,
    Optional<String> password,
    Optional<Path> clientAuthorities,
    Duration reread) {

  /** How often a node reads its files again. */
  public static final Duration REREAD = Duration.ofSeconds(10);

  /** The name of the provider of what is in the files, and of what is used of it. */
  public static final String SERVER_FILES = "server-files";

  public static final String SERVER = "server";

  /** The same for the authorities of clients. */
  public static final String CLIENTS_FILES = "clients-files";

  public static final String CLIENTS = "clients";

  private static final List<String> PROTOCOLS = List.of("TLSv1.3", "TLSv1.2");

  /** With forward secrecy and authenticated encryption. */
  private static final List<String> CIPHERS =
      List.of(
          "TLS_AES_256_GCM_SHA384",
          "TLS_AES_128_GCM_SHA256",
          "TLS_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

  /**
   * Refuses clients that ask for a second handshake, which costs a server more than its client. The
   * JDK has only this property for it, and reads it at the first handshake of the process.
   */
  static void refuseRenegotiation() {
    System.setProperty("jdk.tls.rejectClientInitiatedRenegotiation", "true");
  }

  /** Whether clients have to show a certificate. */
  public boolean asksClients() {
    return clientAuthorities.isPresent();
  }

  /** What the HTTP server is told of TLS. */
  public Map<String, Object> properties() {
    refuseRenegotiation();
    Map<String, Object> properties = new LinkedHashMap<>();
    properties.put("micronaut.server.ssl.enabled", true);
    properties.put("micronaut.server.ssl.protocols", PROTOCOLS);
    properties.put("micronaut.server.ssl.ciphers", CIPHERS);
    // the limit of reading is that of a handshake, too
    properties.put("micronaut.server.ssl.handshake-timeout", Duration.ZERO);
    if (asksClients()) {
      // a probe has none: who needs one is decided for each request
      properties.put("micronaut.server.ssl.client-authentication", ClientAuthentication.WANT);
    }
    add(properties, SERVER_FILES, key.orElse(certificate));
    if (key.isPresent()) {
      add(properties, SERVER_FILES, "certificate-path", certificate);
      add(properties, SERVER_FILES, "format", FileCertificateProvider.Format.PEM);
    }
    password.ifPresent(it -> add(properties, SERVER_FILES, "password", it));
    clientAuthorities.ifPresent(it -> {
      add(properties, CLIENTS_FILES, it);
      add(properties, CLIENTS_FILES, "format", FileCertificateProvider.Format.PEM);
    });
    return properties;
  }

  private void add(Map<String, Object> properties, String name, Path path) {
    add(properties, name, "path", path);
    add(properties, name, "refresh-mode", FileCertificateProvider.RefreshMode.SCHEDULER);
    add(properties, name, "refresh-interval", reread);
  }

  private static void add(Map<String, Object> properties, String name, String key, Object value) {
    properties.put("micronaut.certificate.file." + name + "." + key, value.toString());
  }
}
