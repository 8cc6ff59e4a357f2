package gatebook.api.wrap;

import gatebook.api.data.JournalPlace;
import gatebook.api.data.JournalSection;
import gatebook.api.node.KeysOnDisk;
import gatebook.api.node.RealJournal;
import gatebook.events.Event;
import gatebook.events.RulesActivated;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.JournalSnapshot;
import gatebook.events.journal.storage.RowCursor;
import gatebook.events.vocabulary.EventVocabulary;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the recorded events of a journal that no process has open. */
final class RecordedEvents {

  private RecordedEvents() {}

  static List<Event> in(Path data) {
    var settings =
        new JournalPlace(data, Optional.empty()).settings(JournalSection.DEFAULT, Map.of());
    return switch (JournalSnapshot.take(settings)) {
      case JournalSnapshot.TakeResult.Refused(var sentence) -> throw new AssertionError(sentence);
      case JournalSnapshot.TakeResult.Taken(var journalSnapshot) -> {
        try (journalSnapshot;
            RowCursor<Entry> entries = journalSnapshot.events()) {
          yield read(entries, KeysOnDisk.vocabulary(data));
        }
      }
    };
  }

  /** The names of the call events. */
  static List<String> names(Path data) {
    return in(data).stream()
        .filter(event -> !(event instanceof RulesActivated))
        .map(event -> event.getClass().getSimpleName())
        .toList();
  }

  private static List<Event> read(RowCursor<Entry> entries, EventVocabulary eventVocabulary) {
    List<Event> events = new ArrayList<>();
    for (Entry entry = entries.next(); entry != null; entry = entries.next()) {
      events.add(RealJournal.read(entry, eventVocabulary));
    }
    return events;
  }
}
