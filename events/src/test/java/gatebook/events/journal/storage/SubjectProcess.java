package gatebook.events.journal.storage;

import gatebook.events.journal.AppendSubject;
import gatebook.events.journal.AxonSubject;
import gatebook.events.journal.DirectSubject;
import gatebook.events.journal.Journals;
import gatebook.events.journal.SubjectServer;
import gatebook.events.journal.postgres.BareRows;
import gatebook.events.journal.postgres.SharedLocation;
import gatebook.events.journal.segment.SegmentLocation;
import gatebook.events.journal.segment.file.BareSegment;
import java.nio.file.Path;

/** Our subjects: those on the gateway's class path, one to a process. */
public final class SubjectProcess {
  private SubjectProcess() {}

  /**
   * Serves one subject.
   *
   * @param args the subject, a directory of its own, and {@code segments} or the URL of a database
   *     in PostgreSQL of its own
   */
  public static void main(String[] args) throws Exception {
    Path directory = Path.of(args[1]);
    SubjectServer.serve(() -> subject(args[0], settings(directory, args)));
  }

  private static JournalSettings settings(Path directory, String[] args) {
    return args[2].equals("segments")
        ? Journals.inSegments(directory)
        : Journals.settings(directory, new SharedLocation(args[2], "postgres", "postgres"));
  }

  private static AppendSubject subject(String name, JournalSettings settings) throws Exception {
    return switch (name) {
      case "axon" -> new AxonSubject(settings);
      case "alone" -> new DirectSubject(settings);
      case "bare" ->
          settings.location() instanceof SegmentLocation segments
              ? new BareSegment(segments.directory())
              : new BareRows(settings);
      default -> throw new IllegalArgumentException("no subject is called " + name);
    };
  }
}
