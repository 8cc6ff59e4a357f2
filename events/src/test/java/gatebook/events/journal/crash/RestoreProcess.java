package gatebook.events.journal.crash;

import gatebook.events.journal.archive.ArchiveTarget;
import gatebook.events.journal.archive.DirectoryTarget;
import gatebook.events.journal.backup.JournalRestore;
import gatebook.events.journal.backup.RestoreEnd;
import gatebook.events.journal.segment.SegmentLocation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A process that restores a backup; it can be killed at any place. */
final class RestoreProcess {
  private RestoreProcess() {}

  public static void main(String[] words) throws IOException {
    restore(Path.of(words[0]), Place.inSegments(Path.of(words[1])));
    Runtime.getRuntime().halt(0);
  }

  static JournalRestore.Outcome restore(Path backups, Place place) throws IOException {
    try (ArchiveTarget source = DirectoryTarget.open(backups)) {
      return new JournalRestore(
              source,
              place.settings(),
              ((SegmentLocation) place.location()).directory(),
              (_, _, _, _) -> {})
          .run(
              new JournalRestore.Selection(
                  Optional.empty(), Optional.empty(), new RestoreEnd.Everything()));
    }
  }

  /** Starts such a process. */
  static Process start(Path backups, Path data) throws IOException {
    return JavaProcess.of(
            List.of(), RestoreProcess.class, List.of(backups.toString(), data.toString()))
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
  }
}
