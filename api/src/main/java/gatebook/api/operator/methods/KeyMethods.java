package gatebook.api.operator.methods;

import gatebook.api.operator.rpc.CallParams;
import gatebook.api.operator.rpc.Operator;
import gatebook.api.operator.rpc.OperatorMethod;
import gatebook.api.operator.rpc.OperatorMethod.Outcome;
import gatebook.api.rpc.MemberType.Word;
import gatebook.api.rpc.RequestMember;
import gatebook.command.rules.KnownOperator.Role;
import gatebook.events.journal.Journal;
import java.util.List;
import java.util.Set;

/** The method {@code keys.rotate}: replaces a key of the node. */
public final class KeyMethods {
  public static final String ROTATE = "keys.rotate";

  private static final String CHECKPOINT = "checkpoint";
  private static final RequestMember KEY =
      RequestMember.required("key", Word.of(List.of(CHECKPOINT)), "The key.");

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
    return new Outcome.Busy(
        "%s cannot rotate the checkpoint key of %s".formatted(operator, journal.node()));
  }
}
