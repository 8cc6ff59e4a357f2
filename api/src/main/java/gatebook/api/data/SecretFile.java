package gatebook.api.data;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;

/**
 * A file with a secret of random bytes, created at the first start and readable by its owner only.
 */
public final class SecretFile {

  /** The outcome of opening a secret. */
  public sealed interface Opening {
    @SuppressWarnings("ArrayRecordComponent") // handed on at once and never compared
    record Opened(byte[] secret) implements Opening {}

    record Refused(String sentence) implements Opening {}
  }

  private SecretFile() {}

  public static Opening open(Path file, int bytes) {
    try {
      if (!Files.exists(file)) {
        PrivateFile.write(file, Base64.getEncoder().encodeToString(random(bytes)) + "\n");
      }
      byte[] secret = Base64.getDecoder().decode(Files.readString(file).strip());
      return secret.length == bytes ? new Opening.Opened(secret) : damaged(file);
    } catch (IllegalArgumentException _) {
      return damaged(file);
    } catch (IOException e) {
      return new Opening.Refused(
          "cannot read or write %s (%s): check its permissions"
              .formatted(file, e.getClass().getSimpleName()));
    }
  }

  /** The secret in an environment variable, as Base64. */
  public static Opening decoded(String variable, String base64, int bytes) {
    try {
      byte[] secret = Base64.getDecoder().decode(base64.strip());
      return secret.length == bytes ? new Opening.Opened(secret) : wrong(variable, bytes);
    } catch (IllegalArgumentException _) {
      return wrong(variable, bytes);
    }
  }

  private static Opening wrong(String variable, int bytes) {
    return new Opening.Refused("%s must be %d random bytes as base64".formatted(variable, bytes));
  }

  private static Opening damaged(Path file) {
    return new Opening.Refused(
        "%s is damaged: restore it, or remove it so that another is created".formatted(file));
  }

  private static byte[] random(int bytes) {
    byte[] secret = new byte[bytes];
    new SecureRandom().nextBytes(secret);
    return secret;
  }
}
