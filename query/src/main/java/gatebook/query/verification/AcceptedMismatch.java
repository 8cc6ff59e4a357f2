package gatebook.query.verification;

import gatebook.events.MismatchAccepted;
import gatebook.events.journal.Entry;
import gatebook.events.vocabulary.EventVocabulary;
import gatebook.events.vocabulary.UnreadableEvent;
import java.util.Optional;
import org.axonframework.messaging.core.MessageType;

/**
 * A mismatch accepted by an operator: a statement, at a position in the journal, that the events 1
 * to {@code size} are accepted as they are.
 *
 * @param root in base64
 */
public record AcceptedMismatch(
    long position, long size, String root, String operator, String reason) {
  static final String EVENT_NAME = "gatebook.MismatchAccepted";

  private static final EventVocabulary VOCABULARY = new EventVocabulary();

  /** Reads the acceptance from an event; empty when the event cannot accept anything. */
  static Optional<AcceptedMismatch> of(Entry entry) {
    try {
      MessageType type = new MessageType(entry.name(), entry.version());
      return VOCABULARY.read(type, entry.payload()) instanceof MismatchAccepted accepted
          ? of(entry.position(), accepted)
          : Optional.empty();
    } catch (UnreadableEvent | IllegalArgumentException _) {
      return Optional.empty();
    }
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
