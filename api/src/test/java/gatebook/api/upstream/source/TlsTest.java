package gatebook.api.upstream.source;

import static gatebook.api.upstream.source.TestSources.mcp;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.Upstream.Response;
import gatebook.api.upstream.Upstream.Response.NotConnected;
import gatebook.api.upstream.http.TestEventLoops;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsTest {

  private static final char[] PASSWORD = "changeit".toCharArray();

  /** A key whose certificate names the address 127.0.0.1, and no host. */
  private static KeyStore keys;

  @BeforeAll
  static void createKeys(@TempDir Path directory) throws Exception {
    keys = keys(directory.resolve("keys.p12"));
  }

  @Test
  void aTrustedCertificateIsAccepted() throws Exception {
    assertThat(responseOf("127.0.0.1", trusting(keys))).isEqualTo(new Ended.Result("1", false));
  }

  @Test
  void aCertificateForAnotherNameIsRejected() throws Exception {
    assertThat(responseOf("localhost", trusting(keys))).satisfies(TlsTest::assertTlsFailed);
  }

  @Test
  void anUntrustedCertificateIsRejected() throws Exception {
    assertThat(responseOf("127.0.0.1", TestEventLoops.TLS)).satisfies(TlsTest::assertTlsFailed);
  }

  private static void assertTlsFailed(Response response) {
    assertThat(response)
        .isInstanceOfSatisfying(
            NotConnected.class, it -> assertThat(it.reason()).startsWith("tls failed: "));
  }

  private static Response responseOf(String host, SslContext tls) throws Exception {
    try (StubServer stubServer =
            new StubServer(
                listening(keys),
                peer -> {
                  String id = peer.request().id();
                  peer.answer(
                      200,
                      StubServer.JSON,
                      """
                      {"jsonrpc":"2.0","id":%s,"result":1}\
                      """
                          .formatted(id));
                });
        UpstreamFixture upstreamFixture = new UpstreamFixture(tls)) {
      return upstreamFixture.response(
          mcp(URI.create("https://%s:%d/".formatted(host, stubServer.url("/").getPort()))));
    }
  }

  private static ServerSocket listening(KeyStore keys)
      throws GeneralSecurityException, IOException {
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    return context
        .getServerSocketFactory()
        .createServerSocket(0, 16, InetAddress.getLoopbackAddress());
  }

  private static SslContext trusting(KeyStore keys) throws GeneralSecurityException, IOException {
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    KeyStore certificates = KeyStore.getInstance("PKCS12");
    certificates.load(null, null);
    certificates.setCertificateEntry("stub", keys.getCertificate("stub"));
    trust.init(certificates);
    return SslContextBuilder.forClient().trustManager(trust).build();
  }

  private static KeyStore keys(Path file)
      throws IOException, InterruptedException, GeneralSecurityException {
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-J-XX:TieredStopAtLevel=1",
                "-genkeypair",
                "-alias",
                "stub",
                "-keyalg",
                "EC",
                "-dname",
                "CN=stub",
                "-ext",
                "san=ip:127.0.0.1",
                "-keystore",
                file.toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                new String(PASSWORD))
            .redirectErrorStream(true)
            .start();
    assertThat(keytool.waitFor()).isZero();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      keys.load(in, PASSWORD);
    }
    return keys;
  }
}
