package gatebook.api.operator.methods;

import gatebook.api.operator.rpc.CallParams;
import gatebook.api.operator.rpc.Operator;
import gatebook.api.operator.rpc.OperatorMethod;
import gatebook.api.operator.rpc.OperatorMethod.Outcome;
import gatebook.api.operator.rpc.RotationRecord;
import gatebook.api.rpc.MemberType.Word;
import gatebook.api.rpc.RequestMember;
import gatebook.command.rules.KnownOperator.Role;
import gatebook.events.CheckpointKeyRotated;
import gatebook.events.journal.CheckpointKeyRotation;
import gatebook.events.journal.Journal;
import gatebook.events.keys.KeysUnavailable;
import gatebook.events.keys.store.ContentKeyStore;
import gatebook.events.keys.store.WrappingRotation;
import gatebook.events.vocabulary.EventVocabulary;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The method {@code keys.rotate}: replaces a key of the node. */
public final class KeyMethods {
  public static final String ROTATE = "keys.rotate";

  /** The key that wraps the content keys. */
  public static final String WRAPPING = "wrapping";

  private static final Logger LOG = LoggerFactory.getLogger(KeyMethods.class);
  private static final String CHECKPOINT = "checkpoint";
  private static final RequestMember KEY =
      RequestMember.required("key", Word.of(List.of(CHECKPOINT, WRAPPING)), "The key.");

  private static final EventVocabulary VOCABULARY = new EventVocabulary();

  private final Journal journal;
  private final ContentKeyStore contentKeys;
  private final RotationRecord rotationRecord;

  public KeyMethods(Journal journal, ContentKeyStore contentKeys, RotationRecord rotationRecord) {
    this.journal = journal;
    this.contentKeys = contentKeys;
    this.rotationRecord = rotationRecord;
  }

  public List<OperatorMethod> all() {
    return List.of(
        new OperatorMethod(
            ROTATE,
            "Replaces a key; what the old one signed or sealed stays readable.",
            List.of(KEY),
            Set.of(Role.ADMIN),
            false,
            this::rotate));
  }

  private Outcome rotate(CallParams callParams, Operator operator) {
    return switch (callParams.text("key")) {
      case CHECKPOINT -> rotateCheckpointKey(operator.name());
      case WRAPPING -> rotateWrappingKey(operator.name());
      default -> throw new IllegalStateException("a key that the params do not have");
    };
  }

  private Outcome rotateCheckpointKey(String operator) {
    return switch (journal
        .checkpointKeyRotation()
        .rotate((oldKey, newKey) ->
            VOCABULARY.draft(
                new CheckpointKeyRotated(operator, oldKey.text(), newKey.text()), Instant.now()))) {
      case CheckpointKeyRotation.Outcome.Rotated(var position, var oldKey, var newKey) -> {
        Map<String, Object> result = json(CHECKPOINT, "rotated", newKey.text());
        result.put("oldKey", oldKey.text());
        result.put("position", position);
        yield Outcome.answered(result);
      }
      case CheckpointKeyRotation.Outcome.Prepared(var newKey, var file) -> {
        Map<String, Object> result = json(CHECKPOINT, "prepared", newKey.text());
        result.put("file", file.toAbsolutePath().toString());
        yield Outcome.answered(result);
      }
      case CheckpointKeyRotation.Outcome.NotRotated(var why) ->
          new Outcome.Busy("the checkpoint key was not rotated: " + why);
    };
  }

  private Outcome rotateWrappingKey(String operator) {
    try {
      if (rotationRecord.record(contentKeys)
          instanceof RotationRecord.Outcome.NotRecorded(var reason)) {
        return new Outcome.Busy(
            "the key was not replaced, because it cannot be recorded: " + reason);
      }
      WrappingRotation rotation = contentKeys.rotateWrapping(operator);
      return switch (rotationRecord.record(contentKeys)) {
        case RotationRecord.Outcome.Recorded() -> {
          Map<String, Object> result = json(WRAPPING, "rotated", rotation.after());
          result.put("oldKey", rotation.before());
          yield Outcome.answered(result);
        }
        case RotationRecord.Outcome.NotRecorded(var reason) ->
            new Outcome.Busy(
                "the key was replaced; this is recorded at the next start, because now it cannot"
                    + " be: "
                    + reason);
      };
    } catch (KeysUnavailable e) {
      LOG.error("the wrapping key could not be replaced", e);
      return new Outcome.Busy("the key was not replaced: see the log of this node");
    }
  }

  private static Map<String, Object> json(String key, String state, String newKey) {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("key", key);
    result.put("state", state);
    result.put("newKey", newKey);
    return result;
  }
}
