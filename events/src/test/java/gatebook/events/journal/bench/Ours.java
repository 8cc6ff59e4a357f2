package gatebook.events.journal.bench;

import gatebook.events.journal.JournalSettings;
import gatebook.events.journal.Journals;
import java.nio.file.Path;

/** The subjects that share the product's class path, one to a process. */
final class Ours {
  private Ours() {}

  /**
   * Serves one of them.
   *
   * @param args the subject, a directory of its own, and for PostgreSQL the address of a database
   *     of its own
   */
  public static void main(String[] args) throws Exception {
    Path directory = Path.of(args[1]);
    JournalSettings settings =
        args.length < 3
            ? Journals.embedded(directory)
            : Journals.settings(
                directory, new JournalSettings.Shared(args[2], "postgres", "postgres"));
    Child.serve(() -> subject(args[0], settings));
  }

  private static Subject subject(String name, JournalSettings settings) throws Exception {
    return switch (name) {
      case "axon" -> new ThroughAxon(settings);
      case "alone" -> new Alone(settings);
      case "bare" -> new BareJdbc(settings);
      default -> throw new IllegalArgumentException("no subject is called " + name);
    };
  }
}
