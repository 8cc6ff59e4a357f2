package gatebook.api.operator;

import gatebook.api.operator.OperatorMethod.Outcome;
import gatebook.command.call.DecideApproval;
import gatebook.command.rules.KnownOperator.Role;
import gatebook.events.journal.axon.AppendRefused;
import gatebook.query.approvals.ApprovalQueries;
import gatebook.query.approvals.ApprovalQuestion;
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

/** What waits for a person, and the person's answer. */
final class ApprovalMethods {
  private static final int LIMIT_DEFAULT = 100;

  private final ApprovalQueries approvalQueries;
  private final OperatorServices operatorServices;
  private final InstantSource clock;

  ApprovalMethods(
      ApprovalQueries approvalQueries, OperatorServices operatorServices, InstantSource clock) {
    this.approvalQueries = approvalQueries;
    this.operatorServices = operatorServices;
    this.clock = clock;
  }

  List<OperatorMethod> all() {
    return List.of(
        list(),
        deciding("approvals.approve", "Lets a call go on that waits for a person.", true),
        deciding("approvals.reject", "Turns a call away that waits for a person.", false));
  }

  private OperatorMethod list() {
    return new OperatorMethod(
        "approvals.list",
        "The calls that wait for a person, oldest first, or those that wait no longer.",
        List.of(
            MethodParam.optional(
                "decided",
                MethodParam.Type.TRUTH,
                "Shows what waits no longer, newest first, and what came of it."),
            MethodParam.optional(
                "limit",
                MethodParam.Type.PAGE,
                "How many to show; %d unless told.".formatted(LIMIT_DEFAULT))),
        Set.of(Role.VIEW, Role.APPROVE),
        true,
        ViewMethods.of(approvalQueries.view(), this::list));
  }

  private OperatorMethod deciding(String name, String summary, boolean approved) {
    return new OperatorMethod(
        name,
        summary,
        List.of(
            MethodParam.required(
                "callId", MethodParam.Type.CALL_ID, "The call, as approvals.list shows it."),
            MethodParam.optional(
                "reason", MethodParam.Type.REASON, "Why; kept, and told to who looks.")),
        Set.of(Role.APPROVE),
        false,
        (callParams, asker) -> decide(callParams, asker, approved));
  }

  private Outcome list(CallParams callParams, Operator asker) throws InterruptedException {
    int limit = callParams.page("limit", LIMIT_DEFAULT);
    ApprovalQueries.Page page =
        callParams.isTrue("decided")
            ? approvalQueries.closed(limit)
            : approvalQueries.waiting(limit);
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("approvals", page.questions().stream().map(it -> shown(it, asker)).toList());
    result.put("more", page.more());
    return Outcome.answered(result);
  }

  private Map<String, Object> shown(ApprovalQuestion approvalQuestion, Operator asker) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("callId", approvalQuestion.callId());
    shown.put("correlationId", approvalQuestion.correlationId());
    shown.put("tool", approvalQuestion.tool());
    shown.put("principal", approvalQuestion.principal());
    if (asker.has(Role.ARGUMENTS)) {
      shown.put("arguments", arguments(approvalQuestion));
    }
    shown.put("workflow", approvalQuestion.workflow());
    shown.put("requestedAt", approvalQuestion.requestedAt().toString());
    shown.put("deadline", approvalQuestion.due().toString());
    if (approvalQuestion.standing() != ApprovalQuestion.Standing.WAITING) {
      shown.put("outcome", approvalQuestion.standing());
      put(shown, "by", approvalQuestion.by());
      put(shown, "reason", approvalQuestion.reason());
      put(shown, "decidedAt", approvalQuestion.decidedAt());
    }
    return shown;
  }

  private static void put(Map<String, Object> shown, String name, @Nullable Object value) {
    if (value != null) {
      shown.put(name, value instanceof Instant at ? at.toString() : value);
    }
  }

  /** Whose redaction is not known any more is not shown at all. */
  private @Nullable Object arguments(ApprovalQuestion approvalQuestion) {
    if (approvalQuestion.arguments() == null || approvalQuestion.arguments().redacted() == null) {
      return null;
    }
    String kept = approvalQuestion.arguments().redacted().toString();
    return operatorServices
        .rules()
        .flatMap(rules -> rules.hidden(approvalQuestion.workflow()))
        .map(hidden -> HiddenFields.hide(kept, hidden))
        .orElse(null);
  }

  private Outcome decide(CallParams callParams, Operator asker, boolean approved) {
    UUID call = callParams.callId("callId");
    DecideApproval command =
        new DecideApproval(
            call,
            asker.name(),
            approved,
            callParams.has("reason") ? callParams.text("reason") : null,
            clock.instant());
    try {
      return told(call, operatorServices.approving().decide(command).join());
    } catch (CompletionException e) {
      return refusal(e)
          .<Outcome>map(
              why -> new Outcome.Busy("the decision was not recorded and does not count: " + why))
          .orElseThrow(() -> e);
    }
  }

  private static Optional<String> refusal(@Nullable Throwable failure) {
    if (failure instanceof AppendRefused refused) {
      return Optional.of(refused.refusal().reason());
    }
    return failure == null ? Optional.empty() : refusal(failure.getCause());
  }

  private static Outcome told(UUID call, DecideApproval.Outcome outcome) {
    return switch (outcome) {
      case DecideApproval.Outcome.Granted() -> told(call, "granted", Map.of());
      case DecideApproval.Outcome.Rejected() -> told(call, "rejected", Map.of());
      case DecideApproval.Outcome.AlreadyDecided already ->
          told(call, "already-decided", earlier(already));
      case DecideApproval.Outcome.TooLate(var deadline) ->
          told(call, "too-late", Map.of("deadline", deadline.toString()));
      case DecideApproval.Outcome.CallerGone(var end) ->
          told(call, "caller-gone", Map.of("end", end.name().toLowerCase(Locale.ROOT)));
      case DecideApproval.Outcome.NoSuchApproval() ->
          new Outcome.NoSuch(
              "nobody was asked about this call: approvals.list shows what waits", call);
    };
  }

  private static Map<String, Object> earlier(DecideApproval.Outcome.AlreadyDecided already) {
    Map<String, Object> earlier = new LinkedHashMap<>();
    earlier.put("decision", already.approved() ? "granted" : "rejected");
    earlier.put("by", already.by());
    earlier.put("at", already.at().toString());
    return earlier;
  }

  private static Outcome told(UUID call, String outcome, Map<String, Object> details) {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("callId", call);
    result.put("outcome", outcome);
    result.putAll(details);
    return new Outcome.Answered(result, Optional.of(call));
  }
}
