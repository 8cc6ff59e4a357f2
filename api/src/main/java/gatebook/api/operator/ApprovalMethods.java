package gatebook.api.operator;

import gatebook.api.operator.Method.Outcome;
import gatebook.command.approve.DecideApproval;
import gatebook.command.rules.KnownOperator.Role;
import gatebook.events.journal.axon.AppendRefused;
import gatebook.query.approvals.Approvals;
import gatebook.query.approvals.Question;
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

  private final Approvals approvals;
  private final Ports ports;
  private final InstantSource clock;

  ApprovalMethods(Approvals approvals, Ports ports, InstantSource clock) {
    this.approvals = approvals;
    this.ports = ports;
    this.clock = clock;
  }

  List<Method> all() {
    return List.of(
        list(),
        deciding("approvals.approve", "Lets a call go on that waits for a person.", true),
        deciding("approvals.reject", "Turns a call away that waits for a person.", false));
  }

  private Method list() {
    return new Method(
        "approvals.list",
        "The calls that wait for a person, oldest first, or those that wait no longer.",
        List.of(
            Param.optional(
                "decided",
                Param.Type.TRUTH,
                "Shows what waits no longer, newest first, and what came of it."),
            Param.optional(
                "limit",
                Param.Type.PAGE,
                "How many to show; %d unless told.".formatted(LIMIT_DEFAULT))),
        Set.of(Role.VIEW, Role.APPROVE),
        true,
        ViewMethods.of(approvals.view(), this::list));
  }

  private Method deciding(String name, String summary, boolean approved) {
    return new Method(
        name,
        summary,
        List.of(
            Param.required("callId", Param.Type.CALL_ID, "The call, as approvals.list shows it."),
            Param.optional("reason", Param.Type.REASON, "Why; kept, and told to who looks.")),
        Set.of(Role.APPROVE),
        false,
        (params, asker) -> decide(params, asker, approved));
  }

  private Outcome list(Params params, Operator asker) throws InterruptedException {
    int limit = params.page("limit", LIMIT_DEFAULT);
    Approvals.Page page =
        params.isTrue("decided") ? approvals.closed(limit) : approvals.waiting(limit);
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("approvals", page.questions().stream().map(it -> shown(it, asker)).toList());
    result.put("more", page.more());
    return Outcome.answered(result);
  }

  private Map<String, Object> shown(Question question, Operator asker) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("callId", question.callId());
    shown.put("correlationId", question.correlationId());
    shown.put("tool", question.tool());
    shown.put("principal", question.principal());
    if (asker.has(Role.ARGUMENTS)) {
      shown.put("arguments", arguments(question));
    }
    shown.put("workflow", question.workflow());
    shown.put("requestedAt", question.requestedAt().toString());
    shown.put("deadline", question.due().toString());
    if (question.standing() != Question.Standing.WAITING) {
      shown.put("outcome", question.standing());
      put(shown, "by", question.by());
      put(shown, "reason", question.reason());
      put(shown, "decidedAt", question.decidedAt());
    }
    return shown;
  }

  private static void put(Map<String, Object> shown, String name, @Nullable Object value) {
    if (value != null) {
      shown.put(name, value instanceof Instant at ? at.toString() : value);
    }
  }

  /** Whose redaction is not known any more is not shown at all. */
  private @Nullable Object arguments(Question question) {
    if (question.arguments() == null || question.arguments().redacted() == null) {
      return null;
    }
    String kept = question.arguments().redacted().toString();
    return ports
        .rules()
        .flatMap(rules -> rules.hidden(question.workflow()))
        .map(hidden -> HiddenFields.hide(kept, hidden))
        .orElse(null);
  }

  private Outcome decide(Params params, Operator asker, boolean approved) {
    UUID call = params.callId("callId");
    DecideApproval command =
        new DecideApproval(
            call,
            asker.name(),
            approved,
            params.has("reason") ? params.text("reason") : null,
            clock.instant());
    try {
      return told(call, ports.approving().decide(command).join());
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
