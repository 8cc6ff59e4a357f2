package gatebook.command.rules;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The files with which a client speaks TLS.
 *
 * @param authorities certificates in PEM that sign those of servers; empty for those of the JDK
 * @param certificate its own chain in PEM, or a store in PKCS#12; empty when it shows none
 * @param key its private key in PEM; empty for a store
 * @param password of the key or the store
 */
public record ClientTlsFiles(
    Optional<Path> authorities,
    Optional<Path> certificate,
    Optional<Path> key,
    Optional<String> password) {

  /** No files: the authorities of the JDK, and no certificate. */
  public static final ClientTlsFiles NONE =
      new ClientTlsFiles(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
}
