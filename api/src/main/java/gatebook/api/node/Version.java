package gatebook.api.node;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The version of this build, which the build wrote beside the classes. */
public final class Version {

  private Version() {}

  public static String text() {
    return written("version")
        .orElseThrow(() -> new IllegalStateException("the build left out its version"));
  }

  /**
   * The commit that was built, with {@code -dirty} behind it when files differed from it; {@code
   * unknown} when the sources were not in a checkout.
   */
  static String commit() {
    return written("commit").orElse("unknown");
  }

  /** The Java that runs, which in a package is the one that built it. */
  static String java() {
    return Runtime.version().toString();
  }

  /** The build in one line. */
  public static String line() {
    return "gatebook %s (commit %s, Java %s)".formatted(text(), commit(), java());
  }

  private static Optional<String> written(String name) {
    try (InputStream file = Version.class.getResourceAsStream(name)) {
      return file == null
          ? Optional.empty()
          : Optional.of(new String(file.readAllBytes(), StandardCharsets.UTF_8).strip());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
