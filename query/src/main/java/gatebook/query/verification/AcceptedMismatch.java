package gatebook.query.verification;

import gatebook.events.MismatchAccepted;
import gatebook.events.journal.Entry;
import gatebook.events.vocabulary.EventVocabulary;
import gatebook.events.vocabulary.UnreadableEvent;
import java.util.Optional;
import org.axonframework.messaging.core.MessageType;

/**
 * An operator's word, at a position in the journal, that the events 1 to {@code size} are taken as
 * they stand.
 *
 * @param root in base64
 */
public record AcceptedMismatch(
    long position, long size, String root, String operator, String reason) {
  static final String EVENT_NAME = "gatebook.MismatchAccepted";

  private static final EventVocabulary VOCABULARY = new EventVocabulary();

  /** What the event says; nothing when it is no event that could ever accept anything. */
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
