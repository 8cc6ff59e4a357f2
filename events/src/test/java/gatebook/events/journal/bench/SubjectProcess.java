package gatebook.events.journal.bench;

import gatebook.events.journal.JournalSettings;
import gatebook.events.journal.Journals;
import gatebook.events.journal.postgres.SharedLocation;
import java.nio.file.Path;

/** Our subjects: those on the gateway's class path, one to a process. */
final class SubjectProcess {
  private SubjectProcess() {}

  /**
   * Serves one subject.
   *
   * @param args the subject, a directory of its own, and for PostgreSQL the URL of a database of
   *     its own
   */
  public static void main(String[] args) throws Exception {
    Path directory = Path.of(args[1]);
    JournalSettings settings =
        args.length < 3
            ? Journals.embedded(directory)
            : Journals.settings(directory, new SharedLocation(args[2], "postgres", "postgres"));
    BenchProcess.serve(() -> subject(args[0], settings));
  }

  private static Subject subject(String name, JournalSettings settings) throws Exception {
    return switch (name) {
      case "axon" -> new AxonSubject(settings);
      case "alone" -> new DirectSubject(settings);
      case "bare" -> new BareJdbc(settings);
      default -> throw new IllegalArgumentException("no subject is called " + name);
    };
  }
}
