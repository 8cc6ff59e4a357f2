package gatebook.api.http.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import gatebook.api.http.HttpServers;
import gatebook.api.http.Port;
import gatebook.command.rules.GatewayLimits;
import gatebook.events.Requires;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.HttpsURLConnection;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Both ports by TLS, with real certificates and a client of the JDK. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TlsPortsTest {
  private Path temp;
  private TestCertificates certificates;
  private TestCertificates.Pair server;
  private TestCertificates.Pair client;

  @BeforeAll
  void makeCertificates(@TempDir Path folder) throws Exception {
    temp = folder;
    Requires.program("openssl");
    certificates = TestCertificates.in(temp);
    server = certificates.make("server");
    client = certificates.make("client");
  }

  @Test
  void bothPortsSpeakTls() throws Exception {
    try (HttpServers servers = TlsServers.open(TestCertificates.files(server, Optional.empty()))) {
      assertThat(servers.address(Port.ADMIN).url()).startsWith("https://127.0.0.1:");
      assertThat(status(servers, Port.ADMIN, "/health", Optional.empty())).isEqualTo(200);
      assertThat(status(servers, Port.CALLERS, "/nothing", Optional.empty())).isEqualTo(404);
      assertThatThrownBy(() -> plain(servers)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void aStoreHasTheKeyToo() throws Exception {
    TlsFiles files =
        new TlsFiles(
            certificates.store("server", "secret"),
            Optional.empty(),
            Optional.of("secret"),
            Optional.empty(),
            Duration.ofMinutes(1));
    try (HttpServers servers = TlsServers.open(files)) {
      assertThat(status(servers, Port.ADMIN, "/health", Optional.empty())).isEqualTo(200);
    }
  }

  @Test
  void onlyProbesNeedNoCertificateOfTheClient() throws Exception {
    TlsFiles files = TestCertificates.files(server, Optional.of(certificates.authority()));
    try (HttpServers servers = TlsServers.open(files)) {
      assertThat(status(servers, Port.ADMIN, "/ready", Optional.empty())).isEqualTo(200);
      assertThat(status(servers, Port.ADMIN, "/metrics", Optional.empty())).isEqualTo(200);
      assertThat(status(servers, Port.ADMIN, "/", Optional.empty())).isEqualTo(403);
      assertThat(status(servers, Port.CALLERS, "/health", Optional.empty())).isEqualTo(403);
      assertThat(status(servers, Port.CALLERS, "/nothing", Optional.of(client))).isEqualTo(404);

      TestCertificates others = TestCertificates.in(Files.createDirectory(temp.resolve("others")));
      TestCertificates.Pair foreign = others.make("client");
      assertThatThrownBy(() -> status(servers, Port.ADMIN, "/health", Optional.of(foreign)))
          .isInstanceOf(IOException.class);
    }
  }

  /** As a secret of Kubernetes: a link to a directory is replaced. */
  @Test
  void replacedFilesAreUsedWithoutARestart() throws Exception {
    Path folder = Files.createDirectory(temp.resolve("secret"));
    swap(folder, "first", server.certificate(), server.key());
    TestCertificates.Pair linked =
        new TestCertificates.Pair(
            folder.resolve("..data/tls.crt"), folder.resolve("..data/tls.key"));
    try (HttpServers servers = TlsServers.open(TestCertificates.files(linked, Optional.empty()))) {
      assertThat(subject(servers)).contains("CN=server");

      TestCertificates.Pair next = certificates.make("next");
      swap(folder, "mixed", next.certificate(), server.key());
      swap(folder, "second", next.certificate(), next.key());
      await().until(() -> subject(servers).contains("CN=next"));
    }
  }

  @Test
  void filesThatDoNotGoTogetherAreRefused() throws Exception {
    Path nothing = temp.resolve("nothing.pem");
    assertThat(refusal(new TestCertificates.Pair(server.certificate(), client.key())))
        .isEqualTo(
            "cannot speak TLS with %s (the private key is not that of the certificate): check --tls-cert and --tls-key"
                .formatted(server.certificate()));
    assertThat(refusal(new TestCertificates.Pair(nothing, client.key())))
        .contains("nothing.pem")
        .endsWith("check --tls-cert and --tls-key");
  }

  private static String refusal(TestCertificates.Pair pair) {
    return ((HttpServers.StartResult.Refused)
            TlsServers.start(TestCertificates.files(pair, Optional.empty()), GatewayLimits.DEFAULT))
        .sentence();
  }

  private static void swap(Path folder, String name, Path certificate, Path key)
      throws IOException {
    Path data = Files.createDirectory(folder.resolve(name));
    Files.copy(certificate, data.resolve("tls.crt"));
    Files.copy(key, data.resolve("tls.key"));
    Path link = Files.createSymbolicLink(folder.resolve("..new"), Path.of(name));
    Files.move(link, folder.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
  }

  private String subject(HttpServers servers) throws IOException {
    HttpsURLConnection connection = connection(servers, Port.ADMIN, "/health", Optional.empty());
    connection.getResponseCode();
    return ((X509Certificate) connection.getServerCertificates()[0])
        .getSubjectX500Principal()
        .getName();
  }

  private int status(
      HttpServers servers, Port port, String path, Optional<TestCertificates.Pair> shown)
      throws IOException {
    return connection(servers, port, path, shown).getResponseCode();
  }

  private HttpsURLConnection connection(
      HttpServers servers, Port port, String path, Optional<TestCertificates.Pair> shown)
      throws IOException {
    HttpsURLConnection connection =
        (HttpsURLConnection)
            URI.create(servers.address(port).url() + path).toURL().openConnection();
    connection.setSSLSocketFactory(certificates.context(shown).getSocketFactory());
    connection.setRequestProperty("Connection", "close");
    return connection;
  }

  private static int plain(HttpServers servers) throws IOException {
    String url = servers.address(Port.ADMIN).url().replace("https:", "http:");
    return ((HttpURLConnection) URI.create(url + "/health").toURL().openConnection())
        .getResponseCode();
  }
}
