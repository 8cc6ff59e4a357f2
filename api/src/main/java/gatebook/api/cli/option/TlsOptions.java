package gatebook.api.cli.option;

import gatebook.api.http.TlsMode;
import gatebook.api.http.tls.TlsFiles;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of TLS at both ports. */
public final class TlsOptions {
  private static final String PASSWORD = "GATEBOOK_TLS_PASSWORD";

  private final Map<String, String> environment;

  @Option(
      names = "--tls-cert",
      paramLabel = "FILE",
      description = {
        "Both ports speak TLS with this chain of certificates in PEM, or with this store in"
            + " PKCS#12 that has the key, too.",
        "The files are read again every ten seconds."
      })
  private @Nullable Path certificate;

  @Option(
      names = "--tls-key",
      paramLabel = "FILE",
      description =
          "The private key of --tls-cert in PEM; a password of it or of the store is in "
              + PASSWORD
              + ".")
  private @Nullable Path key;

  @Option(
      names = "--tls-client-ca",
      paramLabel = "FILE",
      description =
          "Clients show a certificate that one of these signed, in PEM; only probes need none.")
  private @Nullable Path clientAuthorities;

  public TlsOptions(Map<String, String> environment) {
    this.environment = environment;
  }

  /** Why the options do not go together; empty when they do. */
  public Optional<String> mistake() {
    return certificate == null && (key != null || clientAuthorities != null)
        ? Optional.of("--tls-key and --tls-client-ca need --tls-cert")
        : Optional.empty();
  }

  /** Whether the ports speak TLS. */
  public TlsMode mode() {
    if (certificate == null) {
      return TlsMode.OFF;
    }
    return clientAuthorities == null ? TlsMode.ON : TlsMode.MUTUAL;
  }

  /** The files; empty when the ports do not speak TLS. */
  public Optional<TlsFiles> files() {
    return Optional.ofNullable(certificate)
        .map(chain ->
            new TlsFiles(
                chain,
                Optional.ofNullable(key),
                Optional.ofNullable(environment.get(PASSWORD)),
                Optional.ofNullable(clientAuthorities),
                TlsFiles.REREAD));
  }
}
