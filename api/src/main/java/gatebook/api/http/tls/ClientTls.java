package gatebook.api.http.tls;

import gatebook.command.rules.ClientTlsFiles;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Optional;
import javax.net.ssl.SSLException;

/**
 * How a client speaks TLS: whom it trusts, and what it shows.
 *
 * @param expires when the certificate that it shows expires; empty when it shows none
 */
public record ClientTls(JdkSslContext context, Optional<Instant> expires) {

  /** Trusts what the Java platform trusts, and shows no certificate. */
  public static final ClientTls DEFAULT = ofPlatform();

  /** The outcome of reading the files. */
  public sealed interface Reading {
    record Read(ClientTls tls) implements Reading {}

    /** The sentence names the file. */
    record Refused(String sentence) implements Reading {}
  }

  /** Reads the files. */
  public static Reading read(ClientTlsFiles files) {
    SslContextBuilder builder = builder();
    Optional<Reading> refused = files.authorities().flatMap(file -> trust(builder, file));
    return refused.orElseGet(() ->
        files
            .certificate()
            .map(file -> showing(builder, file, files))
            .orElseGet(() -> reading(builder, Optional.empty())));
  }

  /** The context by these files; fails when they cannot be used. May block. */
  public static SslContext contextOf(ClientTlsFiles files) throws SSLException {
    if (files.equals(ClientTlsFiles.NONE)) {
      return DEFAULT.context;
    }
    return switch (read(files)) {
      case Reading.Read(var tls) -> tls.context;
      case Reading.Refused(var sentence) -> throw new SSLException(sentence);
    };
  }

  private static Optional<Reading> trust(SslContextBuilder builder, Path file) {
    try {
      var _ = builder.trustManager(file.toFile());
      return Optional.empty();
    } catch (RuntimeException e) {
      return Optional.of(unusable("certificates", file, e));
    }
  }

  private static Reading showing(SslContextBuilder builder, Path file, ClientTlsFiles files) {
    try {
      CertifiedKey shown =
          files.key().isPresent()
              ? CertifiedKey.inPem(file.toFile(), files.key().get().toFile(), files.password())
              : CertifiedKey.in(file.toFile(), files.password().orElse(""));
      return reading(
          builder.keyManager(shown.key(), shown.chain()),
          Optional.of(shown.certificate().getNotAfter().toInstant()));
    } catch (RuntimeException | IOException | GeneralSecurityException e) {
      return unusable("certificate", file, e);
    }
  }

  private static Reading reading(SslContextBuilder builder, Optional<Instant> expires) {
    try {
      return new Reading.Read(new ClientTls(context(builder), expires));
    } catch (SSLException e) {
      return new Reading.Refused("cannot speak TLS: %s".formatted(CheckedCertificates.reason(e)));
    }
  }

  private static Reading unusable(String what, Path file, Exception e) {
    return new Reading.Refused(
        "cannot use the %s in %s (%s)".formatted(what, file, CheckedCertificates.reason(e)));
  }

  private static ClientTls ofPlatform() {
    try {
      return new ClientTls(context(builder()), Optional.empty());
    } catch (SSLException e) {
      throw new IllegalStateException("every Java platform has TLS", e);
    }
  }

  private static JdkSslContext context(SslContextBuilder builder) throws SSLException {
    return (JdkSslContext) builder.build();
  }

  private static SslContextBuilder builder() {
    return SslContextBuilder.forClient().sslProvider(SslProvider.JDK);
  }
}
