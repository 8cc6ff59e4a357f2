package gatebook.events.vocabulary;

import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Golden files, which never change. {@code -Dgatebook.golden=write} writes missing files, never
 * existing ones, and fails the run, so that it cannot pass for a test.
 */
final class Golden {
  private static final Path ROOT = Path.of("src/test/resources/golden");

  private Golden() {}

  static String text(String name, String present) throws IOException {
    var file = ROOT.resolve(name);
    if (Files.notExists(file) && Objects.equals(System.getProperty("gatebook.golden"), "write")) {
      Files.createDirectories(Objects.requireNonNull(file.getParent()));
      Files.writeString(file, present);
      fail("wrote %s: look at it, and run again without gatebook.golden", file);
    }
    return Files.readString(file);
  }

  static List<String> names(String directory) throws IOException {
    try (Stream<Path> files = Files.list(ROOT.resolve(directory))) {
      return files
          .map(file -> Objects.requireNonNull(file.getFileName()).toString())
          .sorted()
          .toList();
    }
  }

  static String text(String name) throws IOException {
    return Files.readString(ROOT.resolve(name));
  }
}
