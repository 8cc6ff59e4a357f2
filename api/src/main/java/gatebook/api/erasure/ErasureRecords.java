package gatebook.api.erasure;

import gatebook.events.ErasureBegun;
import gatebook.events.ErasureCompleted;
import gatebook.events.ErasureEvent;
import gatebook.events.ErasureRefused;
import gatebook.events.Event;
import gatebook.events.call.ErasureCause;
import gatebook.events.journal.Append;
import gatebook.events.journal.ConflictCondition;
import gatebook.events.journal.Journal;
import gatebook.events.journal.storage.Entry;
import gatebook.events.vocabulary.ErasureTag;
import gatebook.events.vocabulary.EventVocabulary;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.BiConsumer;
import org.axonframework.messaging.eventstreaming.EventCriteria;

/** The events of erasures in the journal. */
final class ErasureRecords {
  private static final int PAGE = 500;
  private static final EventCriteria CRITERIA = EventCriteria.havingTags(ErasureTag.TAG);

  private final Journal journal;
  private final EventVocabulary eventVocabulary;
  private final InstantSource clock;

  ErasureRecords(Journal journal, EventVocabulary eventVocabulary, InstantSource clock) {
    this.journal = journal;
    this.eventVocabulary = eventVocabulary;
    this.clock = clock;
  }

  /** Appends events together; waits until they are durable. */
  Append append(List<? extends Event> events) {
    Instant now = clock.instant();
    return journal
        .append(
            ConflictCondition.none(),
            events.stream().map(event -> eventVocabulary.draft(event, now)).toList())
        .join();
  }

  /** All erasures that began, oldest first. */
  List<RecordedErasure> all() {
    Map<UUID, RecordedErasure> erasures = new LinkedHashMap<>();
    read(
        0,
        (entry, event) -> {
          switch (event) {
            case ErasureBegun begun -> {
              Instant at = Instant.parse(entry.at());
              RecordedErasure first =
                  new RecordedErasure(begun, entry.position(), at, begun.keys(), false);
              erasures.merge(
                  begun.erasureId(),
                  first,
                  (earlier, _) -> earlier.and(begun, entry.position(), at));
            }
            case ErasureCompleted completed ->
                erasures.computeIfPresent(
                    completed.erasureId(), (_, erasure) -> erasure.asCompleted());
            case ErasureRefused _ -> {
              // it erased nothing
            }
          }
        });
    return List.copyOf(erasures.values());
  }

  /** Reads the events of erasures after a position. */
  void read(long after, BiConsumer<Entry, ErasureEvent> reader) {
    journal.stream(CRITERIA, after, journal.head(), PAGE)
        .forEach(entry ->
            eventVocabulary
                .readIfPossible(entry, ErasureEvent.class)
                .ifPresent(event -> reader.accept(entry, event)));
  }

  /** The names of the legal holds that refusals of a cause name since a time. */
  SortedSet<String> refusedHolds(ErasureCause cause, Instant since) {
    SortedSet<String> named = new TreeSet<>();
    read(
        journal.positionBefore(since),
        (_, event) -> {
          if (event instanceof ErasureRefused refused && refused.cause() == cause) {
            named.addAll(refused.holds());
          }
        });
    return named;
  }
}
