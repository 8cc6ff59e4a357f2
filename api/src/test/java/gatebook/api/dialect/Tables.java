package gatebook.api.dialect;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Tables of errors in files, compared with the code; {@code -Dtables=write} writes them anew. */
final class Tables {

  private static final Path API =
      Path.of(requireNonNull(System.getProperty("gatebook.root"), "the build sets it"))
          .resolve("api");

  private Tables() {}

  static void expect(String path, String text) throws IOException {
    Path file = API.resolve(path);
    if ("write".equals(System.getProperty("tables"))) {
      Files.writeString(file, text);
    }
    assertThat(Files.readString(file)).isEqualTo(text);
  }
}
