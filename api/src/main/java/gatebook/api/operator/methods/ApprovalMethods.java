package gatebook.api.operator.methods;

import gatebook.api.operator.rpc.CallParams;
import gatebook.api.operator.rpc.HiddenFields;
import gatebook.api.operator.rpc.Operator;
import gatebook.api.operator.rpc.OperatorMethod;
import gatebook.api.operator.rpc.OperatorMethod.Outcome;
import gatebook.api.operator.rpc.ParamTypes;
import gatebook.api.rpc.RequestMember;
import gatebook.command.call.approval.DecideApproval;
import gatebook.command.rules.KnownOperator.Role;
import gatebook.events.journal.Append;
import gatebook.events.journal.axon.AppendRefused;
import gatebook.query.Views;
import gatebook.query.approvals.ApprovalQueries;
import gatebook.query.approvals.ApprovalQuestion;
import gatebook.query.approvals.ListApprovals;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** The methods {@code approvals.*}: list pending approvals, approve, reject. */
public final class ApprovalMethods {

  private final Views views;
  private final OperatorServices operatorServices;
  private final InstantSource clock;

  public ApprovalMethods(Views views, OperatorServices operatorServices, InstantSource clock) {
    this.views = views;
    this.operatorServices = operatorServices;
    this.clock = clock;
  }

  public List<OperatorMethod> all() {
    return List.of(
        list(),
        decidingMethod("approvals.approve", "Approves a held call, which then continues.", true),
        decidingMethod(
            "approvals.reject", "Rejects a held call; its caller gets an error.", false));
  }

  private OperatorMethod list() {
    return new OperatorMethod(
        "approvals.list",
        "The calls that wait for an approval, oldest first, or those that no longer wait.",
        List.of(
            RequestMember.optional(
                    "decided",
                    ParamTypes.BOOLEAN,
                    "Lists the calls that no longer wait, newest first, each with its outcome.")
                .byDefault(false),
            ParamTypes.limit("calls")),
        Set.of(Role.VIEW, Role.APPROVE),
        true,
        ViewMethods.whenWhole(views, Views.APPROVALS, this::list));
  }

  private OperatorMethod decidingMethod(String name, String summary, boolean approved) {
    return new OperatorMethod(
        name,
        summary,
        List.of(
            RequestMember.required(
                "callId", ParamTypes.CALL_ID, "The call, as approvals.list shows it."),
            RequestMember.optional(
                    "reason",
                    ParamTypes.REASON,
                    "The reason; recorded with the decision and shown to operators.")
                .ofCaller()),
        Set.of(Role.APPROVE),
        false,
        (callParams, operator) -> decide(callParams, operator, approved));
  }

  private Outcome list(CallParams callParams, Operator operator) throws InterruptedException {
    ListApprovals query = new ListApprovals(callParams.isTrue("decided"), callParams.limit());
    ApprovalQueries.Page page = views.queries().send(query, ApprovalQueries.Page.class);
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("approvals", page.questions().stream().map(it -> json(it, operator)).toList());
    result.put("more", page.more());
    return Outcome.answered(result);
  }

  private Map<String, Object> json(ApprovalQuestion approvalQuestion, Operator operator) {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("callId", approvalQuestion.callId());
    result.put("correlationId", approvalQuestion.correlationId());
    result.put("tool", approvalQuestion.tool());
    result.put("principal", approvalQuestion.principal());
    if (operator.has(Role.ARGUMENTS)) {
      result.put("arguments", arguments(approvalQuestion));
    }
    result.put("workflow", approvalQuestion.workflow());
    result.put("requestedAt", approvalQuestion.requestedAt().toString());
    result.put("deadline", approvalQuestion.due().toString());
    if (approvalQuestion.status() != ApprovalQuestion.ApprovalStatus.WAITING) {
      result.put("outcome", approvalQuestion.status());
      put(result, "by", approvalQuestion.by());
      put(result, "reason", approvalQuestion.reason());
      put(result, "decidedAt", approvalQuestion.decidedAt());
    }
    return result;
  }

  private static void put(Map<String, Object> result, String name, @Nullable Object value) {
    if (value != null) {
      result.put(name, value instanceof Instant at ? at.toString() : value);
    }
  }

  /** Arguments are shown only when the workflow, and so what it hides, is still known. */
  private @Nullable Object arguments(ApprovalQuestion approvalQuestion) {
    if (approvalQuestion.arguments() == null || approvalQuestion.arguments().redacted() == null) {
      return null;
    }
    String kept = approvalQuestion.arguments().redacted().toString();
    return operatorServices
        .rules()
        .flatMap(rules -> rules.hiddenFields(approvalQuestion.workflow()))
        .map(hidden -> HiddenFields.hide(kept, hidden))
        .orElse(null);
  }

  private Outcome decide(CallParams callParams, Operator operator, boolean approved) {
    UUID call = callParams.callId("callId");
    DecideApproval command =
        new DecideApproval(
            call,
            operator.name(),
            approved,
            callParams.has("reason") ? callParams.text("reason") : null,
            clock.instant());
    try {
      return outcome(call, operatorServices.approvalSender().decide(command).join());
    } catch (CompletionException e) {
      return refusal(e)
          .<Outcome>map(
              why -> new Outcome.Busy("the decision was not recorded and does not count: " + why))
          .orElseThrow(() -> e);
    }
  }

  private static Optional<String> refusal(@Nullable Throwable failure) {
    return failure == null
        ? Optional.empty()
        : AppendRefused.refusal(failure)
            .map(Append.Refused::reason)
            .or(() -> refusal(failure.getCause()));
  }

  private static Outcome outcome(UUID call, DecideApproval.Outcome outcome) {
    return switch (outcome) {
      case DecideApproval.Outcome.Granted() -> outcome(call, "granted", Map.of());
      case DecideApproval.Outcome.Rejected() -> outcome(call, "rejected", Map.of());
      case DecideApproval.Outcome.AlreadyDecided already ->
          outcome(call, "already-decided", earlier(already));
      case DecideApproval.Outcome.TooLate(var deadline) ->
          outcome(call, "too-late", Map.of("deadline", deadline.toString()));
      case DecideApproval.Outcome.CallerGone(var end) ->
          outcome(call, "caller-gone", Map.of("end", end.name().toLowerCase(Locale.ROOT)));
      case DecideApproval.Outcome.NoSuchApproval() ->
          new Outcome.UnknownCall(
              "no approval was requested for this call: approvals.list shows what waits", call);
    };
  }

  private static Map<String, Object> earlier(DecideApproval.Outcome.AlreadyDecided already) {
    Map<String, Object> earlier = new LinkedHashMap<>();
    earlier.put("decision", already.approved() ? "granted" : "rejected");
    earlier.put("by", already.by());
    earlier.put("at", already.at().toString());
    return earlier;
  }

  private static Outcome outcome(UUID call, String outcome, Map<String, Object> details) {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("callId", call);
    result.put("outcome", outcome);
    result.putAll(details);
    return new Outcome.Answered(result, Optional.of(call));
  }
}
