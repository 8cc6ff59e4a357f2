package gatebook.query.verification;

import gatebook.events.OriginBegun;
import gatebook.events.journal.storage.Entry;
import gatebook.events.vocabulary.EventVocabulary;
import java.util.Optional;

/**
 * The start of an origin: from a position on, the log has another name.
 *
 * @param position of the event that begins it
 */
record OriginStart(long position, String oldOrigin, String newOrigin) {
  private static final EventVocabulary VOCABULARY = new EventVocabulary();

  /** Reads the start from an event; empty when the event begins no origin. */
  static Optional<OriginStart> of(Entry entry) {
    return VOCABULARY
        .readIfPossible(entry, OriginBegun.class)
        .map(begun -> new OriginStart(entry.position(), begun.oldOrigin(), begun.newOrigin()));
  }
}
