package gatebook.api.node;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The version of this build, which the build wrote beside the classes. */
public final class Version {

  private Version() {}

  public static String text() {
    try (InputStream version =
        Objects.requireNonNull(
            Version.class.getResourceAsStream("version"), "the build left out its version")) {
      return new String(version.readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
