package gatebook.api.operator.methods;

import gatebook.api.operator.rpc.Operator;
import gatebook.api.operator.rpc.OperatorMethod;
import gatebook.api.operator.rpc.OperatorMethod.Outcome;
import gatebook.api.operator.rpc.RotationRecord;
import gatebook.api.rpc.MemberType.Word;
import gatebook.api.rpc.RequestMember;
import gatebook.command.rules.KnownOperator.Role;
import gatebook.events.keys.KeysUnavailable;
import gatebook.events.keys.store.ContentKeyStore;
import gatebook.events.keys.store.WrappingRotation;
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

  private final ContentKeyStore contentKeys;
  private final RotationRecord rotationRecord;

  public KeyMethods(ContentKeyStore contentKeys, RotationRecord rotationRecord) {
    this.contentKeys = contentKeys;
    this.rotationRecord = rotationRecord;
  }

  public List<OperatorMethod> all() {
    return List.of(
        new OperatorMethod(
            ROTATE,
            "Replaces the key that wraps the content keys; the one of before is destroyed.",
            List.of(
                RequestMember.required("key", Word.of(List.of(WRAPPING)), "the key to replace")),
            Set.of(Role.ADMIN),
            false,
            (_, operator) -> rotate(operator)));
  }

  private Outcome rotate(Operator operator) {
    try {
      if (rotationRecord.record(contentKeys)
          instanceof RotationRecord.Outcome.NotRecorded(var reason)) {
        return new Outcome.Busy(
            "the key was not replaced, because it cannot be recorded: " + reason);
      }
      WrappingRotation rotation = contentKeys.rotateWrapping(operator.name());
      return switch (rotationRecord.record(contentKeys)) {
        case RotationRecord.Outcome.Recorded() ->
            Outcome.answered(Map.of("before", rotation.before(), "after", rotation.after()));
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
}
