package gatebook.api.serve;

import gatebook.api.data.DataDirectory;
import gatebook.api.settings.JournalSection;
import gatebook.events.journal.Journal;
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
    if (settings.databaseUrl().filter(url -> !url.startsWith(POSTGRESQL)).isPresent()) {
      return new JournalDoor.Opening.Refused(
          "--db takes a URL that begins with %s, or is left out for the embedded database"
              .formatted(POSTGRESQL));
    }
    return switch (section(settings)) {
      case JournalSection.Reading.Wrong(var mistakes) ->
          new JournalDoor.Opening.Refused(String.join("\n", mistakes));
      case JournalSection.Reading.Read(var section) ->
          opened(
              Journal.open(journalSettings(settings, section, directory.path(), System.getenv())));
    };
  }

  private static JournalSection.Reading section(ServeSettings settings) {
    return settings
        .rules()
        .map(JournalSection::read)
        .orElseGet(() -> new JournalSection.Reading.Read(JournalSection.DEFAULT));
  }

  private static JournalDoor.Opening opened(Journal.Opening opening) {
    return switch (opening) {
      case Journal.Opening.Refused(var sentence) -> new JournalDoor.Opening.Refused(sentence);
      case Journal.Opening.Opened(var journal) ->
          new JournalDoor.Opening.Opened(new OpenJournal(journal));
    };
  }

  private static JournalSettings journalSettings(
      ServeSettings settings,
      JournalSection section,
      Path directory,
      Map<String, String> environment) {
    return new JournalSettings(
        location(settings, directory, environment),
        section.durability(),
        ManagementFactory.getRuntimeMXBean().getName(),
        section.keyFile().orElseGet(() -> directory.resolve("checkpoint.key")),
        directory.resolve("checkpoint"),
        section.limits());
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
