package gatebook.api.data;

import gatebook.events.call.Bytes;
import java.security.SecureRandom;

/**
 * The address where the owner process of a data directory accepts other processes of the same user
 * on this machine.
 *
 * @param port a port on the loopback interface
 * @param secret the secret that both sides prove to each other
 */
public record OwnerAddress(int port, Bytes secret) {

  private static final int SECRET_BYTES = 32;

  /** An address with a new random secret. */
  public static OwnerAddress withNewSecret(int port) {
    byte[] secret = new byte[SECRET_BYTES];
    new SecureRandom().nextBytes(secret);
    return new OwnerAddress(port, Bytes.of(secret));
  }
}
