package gatebook.api.cli.option;

import gatebook.command.rules.ClientTlsFiles;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of a command that calls a server by TLS. */
public final class ClientTlsOptions {
  private static final String PASSWORD = "GATEBOOK_CERT_PASSWORD";

  private final Map<String, String> environment;

  @Option(
      names = "--ca",
      paramLabel = "FILE",
      description = "Trusts a server whose certificate one of these signed, in PEM.")
  private @Nullable Path authorities;

  @Option(
      names = "--cert",
      paramLabel = "FILE",
      description =
          "Shows the server this chain of certificates in PEM, or that of a store in PKCS#12.")
  private @Nullable Path certificate;

  @Option(
      names = "--cert-key",
      paramLabel = "FILE",
      description =
          "The private key of --cert in PEM; a password of it or of the store is in "
              + PASSWORD
              + ".")
  private @Nullable Path key;

  public ClientTlsOptions(Map<String, String> environment) {
    this.environment = environment;
  }

  /** Why the options do not go together; empty when they do. */
  public Optional<String> mistake() {
    return key != null && certificate == null
        ? Optional.of("--cert-key needs --cert")
        : Optional.empty();
  }

  /** Whether the server is shown a certificate, which may be that of an operator. */
  public boolean showsCertificate() {
    return certificate != null;
  }

  /** Empty when the JDK's authorities are trusted and no certificate is shown. */
  public Optional<ClientTlsFiles> files() {
    return authorities == null && certificate == null
        ? Optional.empty()
        : Optional.of(
            new ClientTlsFiles(
                Optional.ofNullable(authorities),
                Optional.ofNullable(certificate),
                Optional.ofNullable(key),
                Optional.ofNullable(environment.get(PASSWORD))));
  }
}
