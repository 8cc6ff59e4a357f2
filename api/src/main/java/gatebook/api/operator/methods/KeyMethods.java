package gatebook.api.operator.methods;

import gatebook.api.operator.rpc.CallParams;
import gatebook.api.operator.rpc.Operator;
import gatebook.api.operator.rpc.OperatorMethod;
import gatebook.api.operator.rpc.OperatorMethod.Outcome;
import gatebook.api.rpc.MemberType.Word;
import gatebook.api.rpc.RequestMember;
import gatebook.command.rules.KnownOperator.Role;
import gatebook.events.CheckpointKeyRotated;
import gatebook.events.journal.CheckpointKeyRotation;
import gatebook.events.journal.Journal;
import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.vocabulary.EventVocabulary;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The method {@code keys.rotate}: replaces a key of the node. */
public final class KeyMethods {
  public static final String ROTATE = "keys.rotate";

  private static final String CHECKPOINT = "checkpoint";
  private static final RequestMember KEY =
      RequestMember.required("key", Word.of(List.of(CHECKPOINT)), "The key.");

  private static final EventVocabulary VOCABULARY = new EventVocabulary();

  private final Journal journal;

  public KeyMethods(Journal journal) {
    this.journal = journal;
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
        Map<String, Object> result = json("rotated", newKey);
        result.put("oldKey", oldKey.text());
        result.put("position", position);
        yield Outcome.answered(result);
      }
      case CheckpointKeyRotation.Outcome.Prepared(var newKey, var file) -> {
        Map<String, Object> result = json("prepared", newKey);
        result.put("file", file.toAbsolutePath().toString());
        yield Outcome.answered(result);
      }
      case CheckpointKeyRotation.Outcome.NotRotated(var why) ->
          new Outcome.Busy("the checkpoint key was not rotated: " + why);
    };
  }

  private static Map<String, Object> json(String state, VerifierKey newKey) {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("key", CHECKPOINT);
    result.put("state", state);
    result.put("newKey", newKey.text());
    return result;
  }
}
