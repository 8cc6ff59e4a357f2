package gatebook.api.cli;

import gatebook.api.data.JournalPlace;
import gatebook.api.operator.rpc.RotationRecord;
import gatebook.events.keys.KeysUnavailable;
import gatebook.events.keys.store.ContentKeyStore;
import gatebook.events.keys.store.WrappingRotation;
import java.time.InstantSource;
import java.util.Map;

/** The rotation of the wrapping key of a data directory that no server owns. */
record WrappingKeyRotation(JournalPlace place, Map<String, String> environment, String operator) {

  /** The outcome of a rotation. */
  sealed interface Outcome {
    record Done(WrappingRotation rotation) implements Outcome {}

    record NotDone(String sentence) implements Outcome {}
  }

  /** A journal that does not exist is not created. */
  Outcome rotate() {
    return StoppedKeys.use(
        place,
        environment,
        Outcome.NotDone::new,
        (journal, contentKeys) ->
            rotate(new RotationRecord(journal, InstantSource.system()), contentKeys));
  }

  /** A rotation of before that is not recorded yet is recorded first. */
  private Outcome rotate(RotationRecord rotationRecord, ContentKeyStore contentKeys) {
    try {
      if (rotationRecord.record(contentKeys)
          instanceof RotationRecord.Outcome.NotRecorded(var reason)) {
        return new Outcome.NotDone(
            "the key was not replaced, because it cannot be recorded: " + reason);
      }
      WrappingRotation rotation = contentKeys.rotateWrapping(operator);
      return switch (rotationRecord.record(contentKeys)) {
        case RotationRecord.Outcome.Recorded() -> new Outcome.Done(rotation);
        case RotationRecord.Outcome.NotRecorded(var reason) ->
            new Outcome.NotDone("the key was replaced, and the next start records it: " + reason);
      };
    } catch (KeysUnavailable e) {
      return new Outcome.NotDone("the key was not replaced: " + e.getMessage());
    }
  }
}
