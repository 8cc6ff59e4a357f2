package gatebook.query.verification;

import gatebook.events.MismatchAccepted;
import gatebook.events.journal.TrustEvents;
import gatebook.events.journal.storage.Entry;
import gatebook.events.vocabulary.EventVocabulary;
import java.util.Optional;

/**
 * A mismatch accepted by an operator: a statement, at a position in the journal, that the events 1
 * to {@code size} are accepted as they are.
 *
 * @param root in base64
 */
public record AcceptedMismatch(
    long position, long size, String root, String operator, String reason) {
  static final String EVENT_NAME = TrustEvents.MISMATCH_ACCEPTED;

  private static final EventVocabulary VOCABULARY = new EventVocabulary();

  /** Reads the acceptance from an event; empty when the event cannot accept anything. */
  static Optional<AcceptedMismatch> of(Entry entry) {
    return VOCABULARY
        .readIfPossible(entry, MismatchAccepted.class)
        .flatMap(accepted -> of(entry.position(), accepted));
  }

  private static Optional<AcceptedMismatch> of(long position, MismatchAccepted accepted) {
    long size = accepted.treeSize();
    return size < 1 || size >= position
        ? Optional.empty()
        : Optional.of(
            new AcceptedMismatch(
                position,
                size,
                accepted.rootHash().base64(),
                accepted.operator(),
                accepted.reason()));
  }
}
