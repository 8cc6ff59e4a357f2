package gatebook.api.proof;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.data.JournalPlace;
import gatebook.api.data.JournalSection;
import gatebook.api.node.KeysOnDisk;
import gatebook.api.node.RealJournal;
import gatebook.events.CallAbandoned;
import gatebook.events.CallAnswered;
import gatebook.events.CallEvent;
import gatebook.events.CallForwarded;
import gatebook.events.CallOrphaned;
import gatebook.events.CallReceived;
import gatebook.events.ErrorTranslated;
import gatebook.events.Event;
import gatebook.events.call.Transport;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.JournalSnapshot;
import gatebook.events.journal.storage.RowCursor;
import gatebook.events.keys.ContentKeys;
import gatebook.events.keys.OldKeys;
import gatebook.events.vocabulary.EventVocabulary;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** The stored events of a journal that no process has open, read from its rows. */
final class StoredEvents {
  private final List<Event> events = new ArrayList<>();
  private final Map<UUID, List<CallEvent>> calls = new HashMap<>();
  private final Map<String, UUID> ids = new HashMap<>();

  private final ContentKeys contentKeys;

  private StoredEvents(ContentKeys contentKeys) {
    this.contentKeys = contentKeys;
  }

  /** The keys of their content. */
  ContentKeys contentKeys() {
    return contentKeys;
  }

  /**
   * @param url of the database; empty for the database in the data directory
   */
  static StoredEvents read(Path data, Optional<String> url, Map<String, String> environment) {
    var settings = new JournalPlace(data, url).settings(JournalSection.DEFAULT, environment);
    return switch (JournalSnapshot.take(settings)) {
      case JournalSnapshot.TakeResult.Refused(var sentence) -> throw new AssertionError(sentence);
      case JournalSnapshot.TakeResult.Taken(var journalSnapshot) -> {
        try (journalSnapshot;
            RowCursor<Entry> entries = journalSnapshot.events()) {
          yield of(entries, KeysOnDisk.read(data, url, environment));
        }
      }
    };
  }

  private static StoredEvents of(RowCursor<Entry> entries, ContentKeys contentKeys) {
    StoredEvents stored = new StoredEvents(contentKeys);
    EventVocabulary eventVocabulary = new EventVocabulary(contentKeys, OldKeys.NONE);
    for (Entry entry = entries.next(); entry != null; entry = entries.next()) {
      stored.add(RealJournal.read(entry, eventVocabulary));
    }
    return stored;
  }

  private void add(Event event) {
    events.add(event);
    if (event instanceof CallEvent of) {
      calls.computeIfAbsent(of.callId(), _ -> new ArrayList<>()).add(of);
    }
    // the calls of a tree have the id of the call that executes it
    if (event instanceof CallReceived received && received.transport() != Transport.TREE) {
      assertThat(ids.put(received.correlationId(), received.callId()))
          .as("another call of the correlation id %s", received.correlationId())
          .isNull();
    }
  }

  <E extends Event> List<E> ofType(Class<E> kind) {
    return events.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  /** The events of a call in order; empty when the call was never stored. */
  List<CallEvent> of(String marker) {
    UUID id = ids.get(marker);
    return id == null ? List.of() : calls.getOrDefault(id, List.of());
  }

  /** The events of every call. */
  Iterable<List<CallEvent>> calls() {
    return calls.values();
  }

  /** The first event of a type among those of a call. */
  static <E> Optional<E> first(List<CallEvent> call, Class<E> kind) {
    return call.stream().filter(kind::isInstance).map(kind::cast).findFirst();
  }

  static boolean isForwarded(List<CallEvent> call) {
    return first(call, CallForwarded.class).isPresent();
  }

  static List<CallEvent> endings(List<CallEvent> call) {
    return call.stream().filter(StoredEvents::isEnding).toList();
  }

  private static boolean isEnding(CallEvent event) {
    return event instanceof CallAnswered
        || event instanceof ErrorTranslated
        || event instanceof CallAbandoned
        || event instanceof CallOrphaned;
  }
}
