package gatebook.api.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Folders of a test class, which are deleted with all their files. */
public final class TestFolders implements AutoCloseable {
  private final List<Path> folders = new ArrayList<>();

  /** An empty folder. */
  public Path folder() {
    try {
      Path folder = Files.createTempDirectory("node");
      folders.add(folder);
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    for (Path folder : folders) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }
}
