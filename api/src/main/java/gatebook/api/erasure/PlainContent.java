package gatebook.api.erasure;

import gatebook.events.CallEvent;
import gatebook.events.CallReceived;
import gatebook.events.Event;
import gatebook.events.TreeEvent;
import gatebook.events.journal.Journal;
import gatebook.events.journal.storage.Entry;
import gatebook.events.keys.ContentOwner;
import gatebook.events.keys.store.KeySelection;
import gatebook.events.vocabulary.EventVocabulary;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;

/**
 * Counts events from before content was sealed, which no erasure reaches. All of them precede the
 * first sealed event.
 */
final class PlainContent {
  private static final int PAGE = 500;

  private final Journal journal;
  private final EventVocabulary eventVocabulary;

  PlainContent(Journal journal, EventVocabulary eventVocabulary) {
    this.journal = journal;
    this.eventVocabulary = eventVocabulary;
  }

  /** How many of them have content of the selected principal and days. */
  long count(KeySelection selection) {
    Set<UUID> calls = new HashSet<>();
    return journal.stream(null, 0, journal.head(), PAGE)
        .takeWhile(entry -> EventVocabulary.contentKeyOf(entry).isEmpty())
        .filter(entry -> isSelected(entry, selection, calls))
        .count();
  }

  /**
   * @param calls the selected calls up to here
   */
  private boolean isSelected(Entry entry, KeySelection selection, Set<UUID> calls) {
    return eventVocabulary
        .readIfPossible(entry, Event.class)
        .filter(event -> isOwned(event, entry, selection, calls))
        .filter(eventVocabulary::hasContent)
        .isPresent();
  }

  private static boolean isOwned(
      Event event, Entry entry, KeySelection selection, Set<UUID> calls) {
    return switch (event) {
      case CallReceived received -> {
        boolean selected =
            selection.test(ContentOwner.ofCall(received.principal().name(), received.callId()));
        yield selected && calls.add(received.callId());
      }
      case CallEvent call -> calls.contains(call.callId());
      case TreeEvent tree ->
          selection.test(ContentOwner.at(tree.owner(), Instant.parse(entry.at())));
      default -> false;
    };
  }
}
