package gatebook.api.operator;

import static java.util.stream.Collectors.joining;

import gatebook.api.again.Activations.Activated;
import gatebook.api.again.CallReplay;
import gatebook.api.again.Means;
import gatebook.api.again.Replayed;
import gatebook.api.operator.Method.Outcome;
import gatebook.command.rules.KnownOperator.Role;
import gatebook.events.journal.Journal;
import gatebook.query.calls.Call;
import gatebook.query.calls.Calls;
import gatebook.query.calls.Lookup;
import gatebook.query.calls.Retelling;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Why was this call decided so, and how would it be decided now? */
final class ReplayCallMethod {

  /** How many calls are named when an id stands for more than one. */
  private static final int NAMED_MAX = 10;

  private final Calls calls;
  private final CallReplay replay;

  ReplayCallMethod(Journal journal, Calls calls, Means means) {
    this.calls = calls;
    this.replay = new CallReplay(new Retelling(journal), this::activated, means);
  }

  List<Method> all() {
    return List.of(
        new Method(
            "audit.replayCall",
            "One call step by step, decided again by the rules of then and by those in force.",
            List.of(
                Param.required(
                    "id",
                    Param.Type.TEXT,
                    "Any id that stands for exactly one call: its own, or its correlation, trace,"
                        + " task or approval."),
                AuditMethods.AT_LEAST),
            Set.of(Role.VIEW),
            true,
            ViewMethods.of(calls.view(), this::answer)));
  }

  private Outcome answer(Params params, Operator asker) throws InterruptedException {
    return switch (calls.lookup(params.text("id"), params.position("atLeast"), Optional.empty())) {
      case Lookup.Found(var found, var more) ->
          found.size() == 1
              ? replayed(found.getFirst().callId(), asker)
              : new Outcome.NotOne(several(found, more));
      case Lookup.NeverSeen(var position) ->
          new Outcome.NotOne("no call up to position %d is known by this id".formatted(position));
      case Lookup.CameLater() ->
          new Outcome.NotOne("nothing is recorded of what is known by this id");
      case Lookup.NotProjectedYet(var position, var awaited) ->
          new Outcome.Busy(
              "the view has come to position %d of %d: ask again".formatted(position, awaited));
    };
  }

  private Optional<Activated> activated(String rulesHash, long before) {
    return calls
        .activation(rulesHash, before)
        .map(activation -> new Activated(activation.at(), activation.rules()));
  }

  private Outcome replayed(UUID call, Operator asker) {
    Replayed replayed = replay.of(call);
    return new Outcome.Answered(
        asker.has(Role.ARGUMENTS) ? replayed : replayed.withoutArguments(), Optional.of(call));
  }

  private static String several(List<Call> calls, boolean more) {
    String named =
        calls.stream().limit(NAMED_MAX).map(it -> it.callId().toString()).collect(joining(", "));
    return "this id stands for %s%d calls: give that of one, the newest are %s"
        .formatted(more ? "more than " : "", calls.size(), named);
  }
}
