package gatebook.api.operator.rpc;

import gatebook.events.WrappingKeyRotated;
import gatebook.events.journal.Append;
import gatebook.events.journal.ConflictCondition;
import gatebook.events.journal.JournalAccess;
import gatebook.events.keys.store.ContentKeyStore;
import gatebook.events.vocabulary.EventVocabulary;
import java.time.InstantSource;
import java.util.List;

/**
 * The record of a rotation of the wrapping key. The store names a rotation until the journal has
 * its event, so that one whose process was killed is recorded at the next start.
 */
public record RotationRecord(JournalAccess journal, InstantSource clock) {

  private static final EventVocabulary VOCABULARY = new EventVocabulary();

  /** The outcome of recording. */
  public sealed interface Outcome {
    record Recorded() implements Outcome {}

    record NotRecorded(String reason) implements Outcome {}
  }

  /** Records the rotation that the store names, if there is one. May block. */
  public Outcome record(ContentKeyStore contentKeys) {
    if (contentKeys.unrecordedRotation().isEmpty()) {
      return new Outcome.Recorded();
    }
    var rotation = contentKeys.unrecordedRotation().get();
    WrappingKeyRotated rotated =
        new WrappingKeyRotated(
            rotation.operator(), rotation.before(), rotation.after(), rotation.at());
    return switch (journal
        .append(ConflictCondition.none(), List.of(VOCABULARY.draft(rotated, clock.instant())))
        .join()) {
      case Append.Stored _ -> {
        contentKeys.rotationRecorded();
        yield new Outcome.Recorded();
      }
      case Append.Refused refused -> new Outcome.NotRecorded(refused.reason());
      case Append.Conflict _ -> throw new IllegalStateException("a conflict without a condition");
    };
  }
}
