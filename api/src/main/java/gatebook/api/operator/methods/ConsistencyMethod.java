package gatebook.api.operator.methods;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.operator.rpc.CallParams;
import gatebook.api.operator.rpc.OperatorMethod;
import gatebook.api.operator.rpc.OperatorMethod.Outcome;
import gatebook.api.operator.rpc.ParamTypes;
import gatebook.api.rpc.RequestMember;
import gatebook.command.rules.KnownOperator.Role;
import gatebook.events.journal.Journal;
import gatebook.query.proof.CheckpointConsistency;
import gatebook.query.proof.ConsistencyResult;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The method {@code audit.consistency}: returns a proof that a checkpoint of the journal goes on
 * from an older one, which can be checked without the journal.
 */
public final class ConsistencyMethod {
  public static final String NAME = "audit.consistency";

  private final Journal journal;

  public ConsistencyMethod(Journal journal) {
    this.journal = journal;
  }

  public List<OperatorMethod> all() {
    return List.of(
        new OperatorMethod(
            NAME,
            "Proves that a checkpoint of the journal goes on from an older one, in a file that is"
                + " checked without the journal. When there is no proof, the error says why: an"
                + " operator may have accepted that they are inconsistent.",
            List.of(
                RequestMember.optional("from", ParamTypes.NOTE, "The older checkpoint."),
                RequestMember.optional(
                    "fromSize",
                    ParamTypes.POSITION,
                    "In the place of from: how many events the older checkpoint is over, which the"
                        + " journal has."),
                RequestMember.optional(
                    "to",
                    ParamTypes.NOTE,
                    "The newer checkpoint; the newest of the journal when it is absent.")),
            Set.of(Role.VIEW),
            true,
            (callParams, _) -> prove(callParams)));
  }

  private Outcome prove(CallParams callParams) {
    if (callParams.has("from") == callParams.has("fromSize")) {
      return new Outcome.InvalidParams(
          "give either from or fromSize",
          "from",
          "either from or fromSize",
          callParams.has("from") ? "both" : "nothing");
    }
    CheckpointConsistency consistency = new CheckpointConsistency(journal, journal.verifier());
    Optional<String> newer =
        callParams.has("to") ? Optional.of(callParams.text("to")) : Optional.empty();
    ConsistencyResult result =
        callParams.has("from")
            ? consistency.prove(callParams.text("from"), newer)
            : consistency.prove(callParams.position("fromSize"), newer);
    return switch (result) {
      case ConsistencyResult.Proven proven -> Outcome.answered(json(proven));
      case ConsistencyResult.NotProven(var sentence) ->
          new Outcome.InvalidParams(
              sentence, "from", "a checkpoint that the journal goes on from", "another");
    };
  }

  /** What is shown of a proof. */
  public static Map<String, Object> json(ConsistencyResult.Proven proven) {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("from", proven.from());
    result.put("to", proven.to());
    result.put("origin", proven.file().newer().lines().findFirst().orElse(""));
    result.put("file", new String(proven.file().bytes(), UTF_8));
    return result;
  }
}
