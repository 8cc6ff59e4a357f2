package gatebook.api.data;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;

/**
 * The token of a node's own operator, in a file that only the owner of the data directory can read.
 */
public final class OperatorToken {
  private static final String FILE = "operator.token";
  private static final int BYTES = 32;

  private final Path file;
  private volatile String text;

  private OperatorToken(Path file, String text) {
    this.file = file;
    this.text = text;
  }

  /** Reads the token of a data directory, which need not belong to this process. */
  public static OperatorToken read(Path directory) throws IOException {
    Path file = directory.resolve(FILE);
    return new OperatorToken(file, Files.readString(file).strip());
  }

  /** Creates the token file if it does not exist. */
  static void createIfMissing(Path directory) throws IOException {
    Path file = directory.resolve(FILE);
    if (!Files.exists(file)) {
      PrivateFile.write(file, random() + "\n");
    }
  }

  public Path file() {
    return file;
  }

  public String text() {
    return text;
  }

  /** Replaces the token on disk and in memory; when that fails, the old one stays. */
  public synchronized void rotate() throws IOException {
    String other = random();
    PrivateFile.write(file, other + "\n");
    text = other;
  }

  private static String random() {
    byte[] random = new byte[BYTES];
    new SecureRandom().nextBytes(random);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(random);
  }
}
