package gatebook.api.serve;

import gatebook.api.data.DataDirectory;
import gatebook.events.journal.Durability;
import gatebook.events.journal.Journal;
import gatebook.events.journal.JournalLimits;
import gatebook.events.journal.JournalSettings;
import gatebook.events.journal.JournalSettings.Embedded;
import gatebook.events.journal.JournalSettings.Location;
import gatebook.events.journal.JournalSettings.Shared;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Map;

/**
 * The one place where serving meets the journal: where its files are and which database it uses.
 */
final class JournalWiring {

  private static final String POSTGRESQL = "jdbc:postgresql:";

  private JournalWiring() {}

  static JournalDoor.Opening open(ServeSettings settings, DataDirectory directory) {
    return settings.databaseUrl().filter(url -> !url.startsWith(POSTGRESQL)).isPresent()
        ? new JournalDoor.Opening.Refused(
            "--db takes a URL that begins with %s, or is left out for the embedded database"
                .formatted(POSTGRESQL))
        : opened(Journal.open(journalSettings(settings, directory.path(), System.getenv())));
  }

  private static JournalDoor.Opening opened(Journal.Opening opening) {
    return switch (opening) {
      case Journal.Opening.Refused(var sentence) -> new JournalDoor.Opening.Refused(sentence);
      case Journal.Opening.Opened(var journal) ->
          new JournalDoor.Opening.Opened(new OpenJournal(journal));
    };
  }

  private static JournalSettings journalSettings(
      ServeSettings settings, Path directory, Map<String, String> environment) {
    return new JournalSettings(
        location(settings, directory, environment),
        Durability.POWER,
        ManagementFactory.getRuntimeMXBean().getName(),
        directory.resolve("checkpoint.key"),
        directory.resolve("checkpoint"),
        JournalLimits.DEFAULT);
  }

  private static Location location(
      ServeSettings settings, Path directory, Map<String, String> environment) {
    return settings
        .databaseUrl()
        .<Location>map(url ->
            new Shared(
                url,
                environment.getOrDefault("GATEBOOK_DB_USER", ""),
                environment.getOrDefault("GATEBOOK_DB_PASSWORD", "")))
        .orElseGet(() -> new Embedded(directory.resolve("journal")));
  }
}
