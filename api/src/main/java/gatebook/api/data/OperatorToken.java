package gatebook.api.data;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;

/** What opens the operators' door of a node, kept where only the owner of the node may read it. */
public final class OperatorToken {
  private static final String FILE = "operator.token";
  private static final int BYTES = 32;

  private final Path file;
  private volatile String text;

  private OperatorToken(Path file, String text) {
    this.file = file;
    this.text = text;
  }

  /** That of a data directory, which need not be this process's. */
  public static OperatorToken of(Path directory) throws IOException {
    Path file = directory.resolve(FILE);
    return new OperatorToken(file, Files.readString(file).strip());
  }

  /** Makes one where there is none. */
  static void make(Path directory) throws IOException {
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

  /** Puts another in its place, on disk and here; when that fails, the present one stays. */
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
