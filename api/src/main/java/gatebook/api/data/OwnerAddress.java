package gatebook.api.data;

import gatebook.events.call.Bytes;
import java.security.SecureRandom;

/**
 * Where the process that owns a data directory is met by others of its user on this machine.
 *
 * @param port one that only this machine reaches
 * @param secret by which both know each other
 */
public record OwnerAddress(int port, Bytes secret) {

  private static final int SECRET_BYTES = 32;

  /** One with a secret of its own. */
  public static OwnerAddress at(int port) {
    byte[] secret = new byte[SECRET_BYTES];
    new SecureRandom().nextBytes(secret);
    return new OwnerAddress(port, Bytes.of(secret));
  }
}
