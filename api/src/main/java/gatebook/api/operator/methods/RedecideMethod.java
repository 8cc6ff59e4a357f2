package gatebook.api.operator.methods;

import static java.util.stream.Collectors.joining;

import gatebook.api.operator.redecide.RedecideContext;
import gatebook.api.operator.redecide.RedecideService;
import gatebook.api.operator.redecide.RedecidedCall;
import gatebook.api.operator.rpc.CallParams;
import gatebook.api.operator.rpc.Operator;
import gatebook.api.operator.rpc.OperatorMethod;
import gatebook.api.operator.rpc.OperatorMethod.Outcome;
import gatebook.api.operator.rpc.ParamTypes;
import gatebook.api.rpc.JsonStrings;
import gatebook.api.rpc.RequestMember;
import gatebook.command.rules.KnownOperator.Role;
import gatebook.query.Views;
import gatebook.query.call.CallHistory;
import gatebook.query.calls.CallQueries.FoundCallIds;
import gatebook.query.calls.FindCallIds;
import gatebook.query.projection.View.Reached;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * The method {@code audit.replayCall}: redecides one call by the recorded rules and by those in
 * force.
 */
public final class RedecideMethod {

  /** How many calls an error names when an id matches several. */
  private static final int NAMED_MAX = 10;

  private final Views views;
  private final RedecideService redecideService;

  public RedecideMethod(CallHistory callHistory, Views views, RedecideContext redecideContext) {
    this.views = views;
    this.redecideService =
        new RedecideService(callHistory, new RecordedActivations(views), redecideContext);
  }

  public List<OperatorMethod> all() {
    return List.of(
        new OperatorMethod(
            "audit.replayCall",
            "Shows one call step by step and decides it again, by its recorded rules and by the"
                + " rules in force.",
            List.of(
                RequestMember.required(
                    "id",
                    ParamTypes.TEXT,
                    "Any id of exactly one call: its own, or that of its correlation, trace,"
                        + " task or approval."),
                AuditMethods.AT_LEAST),
            Set.of(Role.VIEW),
            true,
            ViewMethods.whenWhole(views, Views.CALLS, this::answer)));
  }

  private Outcome answer(CallParams callParams, Operator operator) throws InterruptedException {
    FindCallIds query = new FindCallIds(callParams.text("id"), callParams.position("atLeast"));
    FoundCallIds found = views.queries().send(query, FoundCallIds.class);
    Reached reached = found.reached();
    if (found.callIds().size() == 1) {
      return redecide(found.callIds().getFirst(), operator);
    }
    if (!found.callIds().isEmpty()) {
      return new Outcome.NotOneCall(severalCalls(found));
    }
    return reached.upToDate()
        ? unknown(
            "no call up to position %d has this id".formatted(reached.position()),
            callParams.text("id"))
        : new Outcome.Busy(
            "the view has reached position %d of %d: try again"
                .formatted(reached.position(), reached.awaited()));
  }

  /** When events were dropped, the id of a call may be that of one which was. */
  private Outcome unknown(String sentence, String id) {
    DroppedPart.NotFound notFound = DroppedPart.notFound(sentence, views);
    String through = notFound.data().get(DroppedPart.MEMBER);
    if (through == null || !ParamTypes.CALL_ID.accepts(JsonStrings.quoted(id))) {
      return new Outcome.NotOneCall(notFound.sentence(), notFound.data());
    }
    UUID call = CallParams.callIdOf(id);
    return new Outcome.Answered(
        RedecidedCall.ofDropped(call, notFound.sentence(), through), Optional.of(call));
  }

  private Outcome redecide(UUID call, Operator operator) throws InterruptedException {
    RedecidedCall redecidedCall = redecideService.redecide(call);
    return redecidedCall.steps().isEmpty()
        ? new Outcome.NotOneCall("nothing is recorded for this id")
        : new Outcome.Answered(
            operator.has(Role.ARGUMENTS) ? redecidedCall : redecidedCall.withoutArguments(),
            Optional.of(call));
  }

  private static String severalCalls(FoundCallIds found) {
    String named =
        found.callIds().stream().limit(NAMED_MAX).map(UUID::toString).collect(joining(", "));
    return "this id matches %s%d calls: use the id of one, the newest are %s"
        .formatted(found.more() ? "more than " : "", found.callIds().size(), named);
  }
}
