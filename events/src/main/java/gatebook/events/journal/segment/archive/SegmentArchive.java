package gatebook.events.journal.segment.archive;

import gatebook.events.journal.archive.ArchiveFailure;
import gatebook.events.journal.archive.ArchiveTarget;
import gatebook.events.journal.segment.file.ArchivedMark;
import gatebook.events.journal.segment.file.SegmentFiles;
import gatebook.events.journal.segment.stamp.FileState;
import gatebook.events.journal.segment.stamp.SegmentStamp;
import gatebook.events.journal.segment.stamp.StampFile;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The archive of the segments of one journal, opened when it is first used. */
public final class SegmentArchive implements AutoCloseable {
  private static final String FOLDER = "segments/";

  private final Optional<SegmentRetention.Archive> configured;
  private @Nullable ArchiveTarget opened;

  SegmentArchive(Optional<SegmentRetention.Archive> configured) {
    this.configured = configured;
  }

  /** The name of the object that is a file of the journal. */
  static String object(String file) {
    return FOLDER + file;
  }

  /**
   * Copies a file, and reads the copy, which may be there from an earlier attempt.
   *
   * @param name of the file in the archive
   */
  public void store(Path file, String name, byte[] sha256) throws IOException {
    String object = object(name);
    ArchiveTarget target = target();
    boolean isNew = target.putIfAbsent(object, file);
    Path copy = SegmentFiles.draft(file.resolveSibling(name + ".copy"));
    try {
      Files.deleteIfExists(copy);
      if (!target.copyTo(object, copy) || !hasBytes(copy, sha256)) {
        throw new ArchiveFailure(
            isNew
                ? "%s in the archive %s is not what was stored there"
                    .formatted(object, target.describe())
                : "the archive %s has another %s: give each journal an archive of its own"
                    .formatted(target.describe(), object));
      }
    } finally {
      Files.deleteIfExists(copy);
    }
  }

  /** Writes what was stored under a name to a new file; it has this digest, or there is none. */
  public void fetch(String name, byte[] sha256, Path file) throws IOException {
    String object = object(name);
    ArchiveTarget target = target();
    Files.deleteIfExists(file);
    boolean isWhole = false;
    try {
      if (!target.copyTo(object, file)) {
        throw missing(target, object);
      }
      isWhole = hasBytes(file, sha256);
      if (!isWhole) {
        throw new IOException(
            "%s in the archive %s is not what was archived".formatted(object, target.describe()));
      }
    } finally {
      if (!isWhole) {
        Files.deleteIfExists(file);
      }
    }
  }

  /** Stores bytes under a name; they replace those that are there. */
  public void put(String name, byte[] bytes) throws ArchiveFailure {
    target().put(object(name), bytes);
  }

  /** Removes what was stored under a name, if it is there. */
  public void remove(String name) throws ArchiveFailure {
    target().delete(object(name));
  }

  /** The names of all files that were stored. */
  List<String> names() throws ArchiveFailure {
    return target().list(FOLDER).stream()
        .map(object -> object.name().substring(FOLDER.length()))
        .toList();
  }

  /** The names of the files of an archived segment: of itself, its index and its stamp. */
  static List<String> names(SegmentFiles files, long first, ArchivedMark mark) throws IOException {
    Path segment =
        files
            .directory()
            .resolve(
                SegmentStamp.unverified(mark.stamp())
                    .orElseThrow(
                        () -> new IOException("the stamp of the archived segment is damaged"))
                    .segment());
    return Stream.of(segment, files.index(first), files.stampOf(segment, first))
        .map(StampFile::name)
        .toList();
  }

  static FileNotFoundException missing(ArchiveTarget target, String object) {
    return new FileNotFoundException(
        "there is no %s in the archive %s".formatted(object, target.describe()));
  }

  private static boolean hasBytes(Path file, byte[] sha256) throws IOException {
    return Arrays.equals(FileState.digest(file, () -> {}), sha256);
  }

  /** Whether an archive is configured. */
  public boolean isConfigured() {
    return configured.isPresent();
  }

  synchronized ArchiveTarget target() throws ArchiveFailure {
    ArchiveTarget target = opened;
    if (target == null) {
      target =
          configured
              .orElseThrow(() ->
                  new ArchiveFailure(
                      "its events are in an archive and none is given: name it under"
                          + " 'retention.archive', for verify with --archive"))
              .open();
      opened = target;
    }
    return target;
  }

  @Override
  public synchronized void close() {
    if (opened != null) {
      opened.close();
      opened = null;
    }
  }
}
