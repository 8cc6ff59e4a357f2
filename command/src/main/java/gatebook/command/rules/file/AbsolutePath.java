package gatebook.command.rules.file;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/** Reads an absolute path: a relative one would depend on where the process was started. */
final class AbsolutePath {

  private AbsolutePath() {}

  static Optional<Path> read(YamlValue yamlValue) {
    Optional<String> text = yamlValue.text();
    Optional<Path> path = text.flatMap(AbsolutePath::absolute);
    if (text.isPresent() && path.isEmpty()) {
      yamlValue.mistake("must be an absolute path, as in /vault/checkpoints");
    }
    return path;
  }

  private static Optional<Path> absolute(String text) {
    try {
      return Optional.of(Path.of(text)).filter(Path::isAbsolute);
    } catch (InvalidPathException _) {
      return Optional.empty();
    }
  }
}
