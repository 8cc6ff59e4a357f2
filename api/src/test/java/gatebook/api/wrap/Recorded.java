package gatebook.api.wrap;

import gatebook.api.settings.JournalPlace;
import gatebook.api.settings.JournalSection;
import gatebook.events.Event;
import gatebook.events.RulesActivated;
import gatebook.events.journal.Cursor;
import gatebook.events.journal.Entry;
import gatebook.events.journal.Snapshot;
import gatebook.events.vocabulary.Vocabulary;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.axonframework.messaging.core.MessageType;

/** What is in a journal that no process has open. */
final class Recorded {

  private Recorded() {}

  static List<Event> in(Path data) {
    var settings =
        new JournalPlace(data, Optional.empty()).settings(JournalSection.DEFAULT, Map.of());
    return switch (Snapshot.take(settings)) {
      case Snapshot.Taking.Refused(var sentence) -> throw new AssertionError(sentence);
      case Snapshot.Taking.Taken(var snapshot) -> {
        try (snapshot;
            Cursor<Entry> entries = snapshot.events()) {
          yield read(entries);
        }
      }
    };
  }

  /** The names of what is recorded of calls. */
  static List<String> names(Path data) {
    return in(data).stream()
        .filter(event -> !(event instanceof RulesActivated))
        .map(event -> event.getClass().getSimpleName())
        .toList();
  }

  private static List<Event> read(Cursor<Entry> entries) {
    Vocabulary vocabulary = new Vocabulary();
    List<Event> events = new ArrayList<>();
    for (Entry entry = entries.next(); entry != null; entry = entries.next()) {
      events.add(vocabulary.read(new MessageType(entry.name(), entry.version()), entry.payload()));
    }
    return events;
  }
}
