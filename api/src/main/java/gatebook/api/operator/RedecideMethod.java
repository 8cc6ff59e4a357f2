package gatebook.api.operator;

import static java.util.stream.Collectors.joining;

import gatebook.api.operator.OperatorMethod.Outcome;
import gatebook.api.operator.redecide.RedecideContext;
import gatebook.api.operator.redecide.RedecideService;
import gatebook.api.operator.redecide.RedecidedCall;
import gatebook.api.operator.redecide.RuleActivations.Activated;
import gatebook.command.rules.KnownOperator.Role;
import gatebook.events.journal.Journal;
import gatebook.query.calls.CallHistory;
import gatebook.query.calls.CallQueries;
import gatebook.query.calls.CallView;
import gatebook.query.calls.LookupResult;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Why was this call decided so, and how would it be decided now? */
final class RedecideMethod {

  /** How many calls are named when an id stands for more than one. */
  private static final int NAMED_MAX = 10;

  private final CallQueries callQueries;
  private final RedecideService replay;

  RedecideMethod(Journal journal, CallQueries callQueries, RedecideContext redecideContext) {
    this.callQueries = callQueries;
    this.replay = new RedecideService(new CallHistory(journal), this::activated, redecideContext);
  }

  List<OperatorMethod> all() {
    return List.of(
        new OperatorMethod(
            "audit.replayCall",
            "One call step by step, decided again by the rules of then and by those in force.",
            List.of(
                MethodParam.required(
                    "id",
                    MethodParam.Type.TEXT,
                    "Any id that stands for exactly one call: its own, or its correlation, trace,"
                        + " task or approval."),
                AuditMethods.AT_LEAST),
            Set.of(Role.VIEW),
            true,
            ViewMethods.of(callQueries.view(), this::answer)));
  }

  private Outcome answer(CallParams callParams, Operator asker) throws InterruptedException {
    return switch (callQueries.lookup(
        callParams.text("id"), callParams.position("atLeast"), Optional.empty())) {
      case LookupResult.Found(var found, var more) ->
          found.size() == 1
              ? replayed(found.getFirst().callId(), asker)
              : new Outcome.NotOne(several(found, more));
      case LookupResult.NeverSeen(var position) ->
          new Outcome.NotOne("no call up to position %d is known by this id".formatted(position));
      case LookupResult.CameLater() ->
          new Outcome.NotOne("nothing is recorded of what is known by this id");
      case LookupResult.NotProjectedYet(var position, var awaited) ->
          new Outcome.Busy(
              "the view has come to position %d of %d: ask again".formatted(position, awaited));
    };
  }

  private Optional<Activated> activated(String rulesHash, long before) {
    return callQueries
        .activation(rulesHash, before)
        .map(activation -> new Activated(activation.at(), activation.rules()));
  }

  private Outcome replayed(UUID call, Operator asker) {
    RedecidedCall redecidedCall = replay.of(call);
    return new Outcome.Answered(
        asker.has(Role.ARGUMENTS) ? redecidedCall : redecidedCall.withoutArguments(),
        Optional.of(call));
  }

  private static String several(List<CallView> calls, boolean more) {
    String named =
        calls.stream().limit(NAMED_MAX).map(it -> it.callId().toString()).collect(joining(", "));
    return "this id stands for %s%d calls: give that of one, the newest are %s"
        .formatted(more ? "more than " : "", calls.size(), named);
  }
}
