package gatebook.api.http.tls;

import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The files with which a client speaks TLS.
 *
 * @param authorities certificates in PEM that sign those of servers; empty for those of the JDK
 * @param certificate its own chain in PEM, or a store in PKCS#12; empty when it shows none
 * @param key its private key in PEM; empty for a store
 * @param password of the key or the store
 */
public record ClientTls(
    Optional<Path> authorities,
    Optional<Path> certificate,
    Optional<Path> key,
    Optional<String> password) {

  /** The outcome of reading the files. */
  public sealed interface Reading {
    record Read(SSLContext context) implements Reading {}

    /** The sentence names the file. */
    record Refused(String sentence) implements Reading {}
  }

  /** Reads the files. */
  public Reading read() {
    SslContextBuilder builder = SslContextBuilder.forClient().sslProvider(SslProvider.JDK);
    return trust(builder)
        .or(() -> identify(builder))
        .<Reading>map(Reading.Refused::new)
        .orElseGet(() -> build(builder));
  }

  private Optional<String> trust(SslContextBuilder builder) {
    return authorities.flatMap(file -> {
      try {
        var _ = builder.trustManager(file.toFile());
        return Optional.empty();
      } catch (RuntimeException e) {
        return Optional.of(unusable("certificates", file, e));
      }
    });
  }

  private Optional<String> identify(SslContextBuilder builder) {
    return certificate.flatMap(file -> {
      try {
        @Nullable String secret = password.orElse(null);
        var _ =
            key.isPresent()
                ? builder.keyManager(file.toFile(), key.get().toFile(), secret)
                : builder.keyManager(store(file, secret));
        return Optional.empty();
      } catch (RuntimeException | IOException | GeneralSecurityException e) {
        return Optional.of(unusable("certificate", file, e));
      }
    });
  }

  private static KeyManagerFactory store(Path file, @Nullable String secret)
      throws IOException, GeneralSecurityException {
    char[] password = secret == null ? new char[0] : secret.toCharArray();
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(KeyStore.getInstance(file.toFile(), password), password);
    return keys;
  }

  private static Reading build(SslContextBuilder builder) {
    try {
      return new Reading.Read(((JdkSslContext) builder.build()).context());
    } catch (IOException e) {
      return new Reading.Refused("cannot speak TLS: %s".formatted(CheckedCertificates.reason(e)));
    }
  }

  private static String unusable(String what, Path file, Exception e) {
    return "cannot use the %s in %s (%s)".formatted(what, file, CheckedCertificates.reason(e));
  }
}
