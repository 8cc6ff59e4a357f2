package gatebook.api.http.tls;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.http.HttpServers;
import gatebook.api.http.ListenAddress;
import gatebook.api.http.Port;
import gatebook.events.Requires;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Both ports as openssl sees them: versions, cipher suites, renegotiation and certificates. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TlsHandshakesTest {
  private TestCertificates certificates;
  private TestCertificates.Pair client;
  private HttpServers servers;

  @BeforeAll
  void open(@TempDir Path folder) throws Exception {
    Requires.program("openssl");
    certificates = TestCertificates.in(folder);
    client = certificates.make("client");
    servers =
        TlsServers.open(
            TestCertificates.files(
                certificates.make("server"), Optional.of(certificates.authority())));
  }

  @AfterAll
  void close() {
    servers.close();
  }

  @ParameterizedTest
  @EnumSource
  void onlyTls12And13AreSpoken(Port port) throws Exception {
    assertThat(handshake(port, "-tls1_3")).contains("New, TLSv1.3, Cipher is TLS_");
    assertThat(handshake(port, "-tls1_2")).contains("Cipher is ECDHE-ECDSA-");
    for (String old : List.of("-tls1_1", "-tls1")) {
      assertThat(handshake(port, old, "-cipher", "DEFAULT@SECLEVEL=0"))
          .contains("CONNECTED", "Cipher is (NONE)");
    }
  }

  @ParameterizedTest
  @EnumSource
  void onlySuitesWithForwardSecrecyAndAuthenticatedEncryptionAreTaken(Port port) throws Exception {
    for (String weak :
        List.of(
            "ECDHE-ECDSA-AES128-SHA256",
            "ECDHE-ECDSA-AES256-SHA",
            "AES256-GCM-SHA384",
            "AECDH-AES128-SHA")) {
      assertThat(handshake(port, "-tls1_2", "-cipher", weak + ":@SECLEVEL=0"))
          .contains("CONNECTED", "Cipher is (NONE)");
    }
    for (String strong :
        List.of("ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-ECDSA-CHACHA20-POLY1305")) {
      assertThat(handshake(port, "-tls1_2", "-cipher", strong)).contains("Cipher is " + strong);
    }
  }

  /** The line R asks openssl to renegotiate; a server that agrees shows its certificate again. */
  @ParameterizedTest
  @EnumSource
  void aClientCannotRenegotiate(Port port) throws Exception {
    String said = openssl(port, "R\nQ\n", "-tls1_2");

    assertThat(said).contains("RENEGOTIATING").contains(":error:");
    assertThat(said.substring(said.indexOf("RENEGOTIATING"))).doesNotContain("verify return:1");
  }

  @ParameterizedTest
  @EnumSource
  void aClientIsAskedForACertificateOfTheAuthority(Port port) throws Exception {
    assertThat(handshake(port))
        .contains("Acceptable client certificate CA names", "CN = authority");
    assertThat(request(port)).contains(port == Port.ADMIN ? "HTTP/1.1 200" : "HTTP/1.1 403");
    assertThat(
            request(
                port, "-cert", client.certificate().toString(), "-key", client.key().toString()))
        .contains(port == Port.ADMIN ? "HTTP/1.1 200" : "HTTP/1.1 404");
  }

  private String request(Port port, String... options) throws Exception {
    return openssl(
        port,
        "GET /health HTTP/1.1\r\nHost: localhost:%d\r\nConnection: close\r\n\r\n"
            .formatted(servers.address(port).port()),
        with(options, "-ign_eof"));
  }

  private String handshake(Port port, String... options) throws Exception {
    return openssl(port, "Q\n", options);
  }

  private static String[] with(String[] options, String more) {
    List<String> all = new ArrayList<>(List.of(options));
    all.add(more);
    return all.toArray(String[]::new);
  }

  /** Both streams of a client that trusts the authority and fails without it. */
  private String openssl(Port port, String input, String... options)
      throws IOException, InterruptedException {
    ListenAddress address = servers.address(port);
    List<String> command =
        new ArrayList<>(
            List.of(
                "openssl",
                "s_client",
                "-connect",
                address.host() + ":" + address.port(),
                "-CAfile",
                certificates.authority().toString(),
                "-verify_return_error"));
    command.addAll(List.of(options));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (var out = process.getOutputStream()) {
      out.write(input.getBytes(ISO_8859_1));
    } catch (IOException _) {
      // it ended because the handshake failed
    }
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    process.waitFor();
    return said;
  }
}
