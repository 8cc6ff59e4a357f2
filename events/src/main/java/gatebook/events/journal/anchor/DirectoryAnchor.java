package gatebook.events.journal.anchor;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * An anchor that is a directory. Each checkpoint gets a file of its own, which appears with all of
 * its bytes on disk and is never replaced; by their names the files are in the order of their time.
 */
public final class DirectoryAnchor implements CheckpointAnchor {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss.SSS'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final String END = ".checkpoint";
  private static final Pattern NAME =
      Pattern.compile("[0-9]{8}T[0-9]{6}\\.[0-9]{3}Z-[0-9]{19}\\.checkpoint");

  private final Path directory;
  private final InstantSource clock;

  /**
   * @param directory which is never created: where it is missing, a disk may be
   */
  public DirectoryAnchor(Path directory, InstantSource clock) {
    this.directory = directory;
    this.clock = clock;
  }

  @Override
  public Optional<String> newest() throws IOException {
    Optional<Path> file = newestIn(directory);
    return file.isPresent() ? Optional.of(Files.readString(file.get(), UTF_8)) : Optional.empty();
  }

  /** The file with the newest checkpoint in a directory; empty when there is none. */
  static Optional<Path> newestIn(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(it -> NAME.matcher(it.getFileName().toString()).matches())
          .max(Comparator.comparing(it -> it.getFileName().toString()));
    }
  }

  @Override
  public void add(String note) throws IOException {
    String name =
        "%s-%019d".formatted(TIME.format(clock.instant()), AnchoredNotes.checkpoint(note).size());
    Path file = directory.resolve(name + END);
    Path draft = directory.resolve("." + name + ".new");
    try {
      AnchoredNotes.write(draft, note, StandardOpenOption.TRUNCATE_EXISTING);
      Files.createLink(file, draft);
    } catch (FileAlreadyExistsException e) {
      if (!Files.readString(file, UTF_8).equals(note)) {
        throw e;
      }
    } catch (UnsupportedOperationException _) {
      throw new IOException("its file system has no links: choose another directory");
    } finally {
      Files.deleteIfExists(draft);
    }
    AnchoredNotes.force(directory);
  }
}
