package gatebook.events.journal.h2;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/**
 * The files of a real journal that the last version with H2 left when its process was killed: of
 * twenty events the database has ten and the write-ahead log the others, with two checkpoints.
 */
public final class KilledH2Journal {
  public static final int EVENTS = 20;
  static final int ROWS = 10;

  private static final List<String> FILES =
      List.of("journal.mv.db", "journal.ahead.db", "checkpoint", "checkpoint.key", "acknowledged");

  private KilledH2Journal() {}

  /** Copies them into a directory. */
  public static void copyTo(Path directory) {
    for (String file : FILES) {
      try (InputStream in = open(file)) {
        Path copy = directory.resolve(file);
        Files.copy(in, copy);
        Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rw-------"));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** What that version found in them: a line for each event, each checkpoint, and the edge. */
  public static List<String> contents() throws IOException {
    try (InputStream in = open("contents.txt")) {
      return new String(in.readAllBytes(), UTF_8).lines().toList();
    }
  }

  private static InputStream open(String file) {
    return requireNonNull(KilledH2Journal.class.getResourceAsStream("/h2-journal/" + file), file);
  }
}
