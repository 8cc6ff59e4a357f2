package gatebook.api.operator.signin;

import java.security.SecureRandom;
import java.util.Base64;

/** Random keys of 256 bits, which cannot be guessed. */
final class RandomKey {
  private static final int BYTES = 32;
  private static final SecureRandom RANDOM = new SecureRandom();

  private RandomKey() {}

  /** Another key, written with letters, digits, dashes and underscores. */
  static String next() {
    byte[] random = new byte[BYTES];
    RANDOM.nextBytes(random);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(random);
  }
}
