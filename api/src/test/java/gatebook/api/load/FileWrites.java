package gatebook.api.load;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What a process, and those that it starts, write to files.
 *
 * @param directory where they write
 */
public record FileWrites(long pid, Path directory) {
  private static final String COUNTER = "write_bytes: ";

  /**
   * The bytes that were to be stored until now, in all directories. The system counts pages of 4
   * KiB, each once until it is stored, so a small figure for one write says little.
   */
  public long bytes() {
    ProcessHandle process = ProcessHandle.of(pid).orElseThrow();
    return Stream.concat(Stream.of(process), process.descendants())
        .mapToLong(FileWrites::bytes)
        .sum();
  }

  private static long bytes(ProcessHandle process) {
    try (Stream<String> lines =
        Files.lines(Path.of("/proc", Long.toString(process.pid()), "io"), UTF_8)) {
      return lines
          .filter(line -> line.startsWith(COUNTER))
          .mapToLong(line -> Long.parseLong(line.substring(COUNTER.length())))
          .sum();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The files in the directory, by their names. */
  public Map<Path, BasicFileAttributes> files() throws IOException {
    Map<Path, BasicFileAttributes> files = new TreeMap<>();
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            files.put(directory.relativize(file), attributes);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) {
            return FileVisitResult.CONTINUE; // deleted meanwhile
          }
        });
    return files;
  }

  /** The files that have changed, each with its growth, and whether it has a text as it is. */
  public List<String> changesSince(Map<Path, BasicFileAttributes> before, String text)
      throws IOException {
    List<String> changes = new ArrayList<>();
    for (Map.Entry<Path, BasicFileAttributes> file : files().entrySet()) {
      BasicFileAttributes earlier = before.get(file.getKey());
      BasicFileAttributes now = file.getValue();
      if (earlier == null || !earlier.lastModifiedTime().equals(now.lastModifiedTime())) {
        changes.add(
            "%s (%d bytes longer, %s the call)"
                .formatted(
                    file.getKey(),
                    now.size() - (earlier == null ? 0 : earlier.size()),
                    has(file.getKey(), text) ? "with" : "without"));
      }
    }
    return changes;
  }

  private boolean has(Path file, String text) throws IOException {
    try {
      // each byte is a character of this charset, so no file is malformed
      return Files.readString(directory.resolve(file), ISO_8859_1).contains(text);
    } catch (NoSuchFileException _) {
      return false; // deleted meanwhile
    }
  }
}
