package gatebook.api.http.tls;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.rules.ClientTlsFiles;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/** An authority in a directory, which makes certificates with openssl. */
public final class TestCertificates {
  private final Path directory;

  private TestCertificates(Path directory) {
    this.directory = directory;
  }

  /** A certificate in PEM, and its key. */
  public record Pair(Path certificate, Path key) {}

  /** Makes an authority. */
  public static TestCertificates in(Path directory) throws IOException, InterruptedException {
    TlsFiles.refuseRenegotiation(); // other servers of this process may come first
    TestCertificates certificates = new TestCertificates(directory);
    certificates.openssl(
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:P-256",
        "-nodes",
        "-days",
        "3650",
        "-subj",
        "/CN=authority",
        "-keyout",
        "authority.key",
        "-out",
        "authority.pem");
    return certificates;
  }

  public Path authority() {
    return directory.resolve("authority.pem");
  }

  /** Makes a certificate for this machine, or for a client. */
  public Pair make(String name) throws IOException, InterruptedException {
    return make(name, 30);
  }

  /** The same for so many days; one less than zero has expired. */
  public Pair make(String name, int days) throws IOException, InterruptedException {
    return make(name, days, "DNS:localhost,IP:127.0.0.1,DNS:" + name + ".example");
  }

  /** The same with these alternative names. */
  public Pair make(String name, int days, String alternatives)
      throws IOException, InterruptedException {
    openssl(
        "req",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:P-256",
        "-nodes",
        "-subj",
        "/O=Example/CN=" + name,
        "-keyout",
        name + ".key",
        "-out",
        name + ".csr");
    Files.writeString(
        directory.resolve(name + ".ext"), "subjectAltName=%s\n".formatted(alternatives));
    openssl(
        "x509",
        "-req",
        "-in",
        name + ".csr",
        "-CA",
        "authority.pem",
        "-CAkey",
        "authority.key",
        "-CAcreateserial",
        "-days",
        Integer.toString(days),
        "-extfile",
        name + ".ext",
        "-out",
        name + ".pem");
    return new Pair(directory.resolve(name + ".pem"), directory.resolve(name + ".key"));
  }

  /** Packs a certificate and its key in a store. */
  public Path store(String name, String password) throws IOException, InterruptedException {
    openssl(
        "pkcs12",
        "-export",
        "-in",
        name + ".pem",
        "-inkey",
        name + ".key",
        "-out",
        name + ".p12",
        "-passout",
        "pass:" + password);
    return directory.resolve(name + ".p12");
  }

  /** The files of a server; they are read again at once. */
  public static TlsFiles files(Pair pair, Optional<Path> clientAuthorities) {
    return new TlsFiles(
        pair.certificate(),
        Optional.of(pair.key()),
        Optional.empty(),
        clientAuthorities,
        Duration.ofMillis(50));
  }

  /** What a client trusts, and shows. */
  public ClientTlsFiles client(Optional<Pair> shown) {
    return new ClientTlsFiles(
        Optional.of(authority()),
        shown.map(Pair::certificate),
        shown.map(Pair::key),
        Optional.empty());
  }

  /** A client with these; its connections are its own. */
  public HttpClient http(Optional<Pair> shown) {
    return HttpClient.newBuilder().sslContext(context(shown)).build();
  }

  /** What a client of the JDK needs for that. */
  public SSLContext context(Optional<Pair> shown) {
    return ((ClientTls.Reading.Read) ClientTls.read(client(shown))).tls().context().context();
  }

  private void openssl(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("openssl"));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
  }
}
