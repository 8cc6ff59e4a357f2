package gatebook.command.rules.file;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** The folder that contains the rules file and the files it names. */
@FunctionalInterface
public interface RulesFolder {

  /** Opens a file; {@code name} is as the rules file writes it. */
  InputStream open(String name) throws IOException;

  /** The folder of this file; other names are relative to it. */
  static RulesFolder of(Path file) {
    return name -> {
      Path path = resolve(file, name);
      if (!Files.isRegularFile(path)) {
        throw new NoSuchFileException(name); // reading a pipe would block
      }
      return Files.newInputStream(path);
    };
  }

  private static Path resolve(Path file, String name) throws IOException {
    try {
      return name.equals(file.toString()) ? file : file.resolveSibling(name);
    } catch (InvalidPathException e) {
      throw new IOException(e);
    }
  }
}
