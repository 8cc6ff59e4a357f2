package gatebook.api.load;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toMap;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

  /** The sizes of the files in the directory, by their names. */
  public Map<String, Long> sizes() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files
          .filter(Files::isRegularFile)
          .collect(
              toMap(file -> directory.relativize(file).toString(), file -> file.toFile().length()));
    }
  }

  /**
   * The files that have grown, or have a text as it is.
   *
   * @param before their sizes then
   */
  public List<String> changesSince(Map<String, Long> before, String text) throws IOException {
    List<String> changes = new ArrayList<>();
    for (Map.Entry<String, Long> file : new TreeMap<>(sizes()).entrySet()) {
      long more = file.getValue() - before.getOrDefault(file.getKey(), 0L);
      boolean hasText = has(file.getKey(), text);
      if (more > 0 || hasText) {
        changes.add(
            "%s (%d bytes more, %s the call)"
                .formatted(file.getKey(), more, hasText ? "with" : "without"));
      }
    }
    return changes;
  }

  private boolean has(String file, String text) throws IOException {
    // each byte is a character of this charset, so no file is malformed
    return Files.readString(directory.resolve(file), ISO_8859_1).contains(text);
  }
}
