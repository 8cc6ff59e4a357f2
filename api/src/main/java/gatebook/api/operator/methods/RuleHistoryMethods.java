package gatebook.api.operator.methods;

import gatebook.api.operator.redecide.DecisionExcerpts;
import gatebook.api.operator.redecide.DecisionExcerpts.Excerpt;
import gatebook.api.operator.redecide.DecisionExcerpts.ExcerptResult;
import gatebook.api.operator.rpc.CallParams;
import gatebook.api.operator.rpc.OperatorMethod;
import gatebook.api.operator.rpc.OperatorMethod.Outcome;
import gatebook.api.operator.rpc.ParamTypes;
import gatebook.api.rpc.RequestMember;
import gatebook.command.rules.KnownOperator.Role;
import gatebook.events.RulesActivated;
import gatebook.query.Views;
import gatebook.query.call.CallHistory;
import gatebook.query.calls.CallQueries.FoundActivation;
import gatebook.query.calls.CallQueries.RuleChange;
import gatebook.query.calls.CallQueries.RuleChangePage;
import gatebook.query.calls.ListRuleChanges;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * The methods for recorded rules: {@code rules.history}, {@code rules.text} and {@code
 * rules.excerpt}.
 */
public final class RuleHistoryMethods {
  private static final String DROPPED =
      " An error about events that may have been dropped has droppedThrough in its data.";

  private static final Set<Role> ADMINS = Set.of(Role.ADMIN);

  private final Views views;
  private final RecordedActivations activations;
  private final DecisionExcerpts decisionExcerpts;

  public RuleHistoryMethods(CallHistory callHistory, Views views) {
    this.views = views;
    this.activations = new RecordedActivations(views);
    this.decisionExcerpts = new DecisionExcerpts(callHistory, activations);
  }

  public List<OperatorMethod> all() {
    return List.of(
        method(
            "rules.history",
            "Lists the activations and rejections of rules, newest first.",
            List.of(ParamTypes.limit("activations and rejections"), ParamTypes.CURSOR_PARAM),
            false,
            (callParams, _) -> history(callParams)),
        method(
            "rules.text",
            "Shows rules that were activated, as they are recorded: without secrets." + DROPPED,
            List.of(
                RequestMember.required(
                    "hash", ParamTypes.TEXT, "The hash of the rules, as events have it.")),
            false,
            (callParams, _) -> text(callParams.text("hash"))),
        method(
            "rules.excerpt",
            "Shows the governance rule and the policies that decided a call, as they were then."
                + DROPPED,
            List.of(RequestMember.required("callId", ParamTypes.CALL_ID, "The id of the call.")),
            true,
            (callParams, _) -> excerpt(callParams.callId("callId"))));
  }

  private OperatorMethod method(
      String name,
      String summary,
      List<RequestMember> params,
      boolean showsCalls,
      OperatorMethod.Handler handler) {
    return new OperatorMethod(
        name,
        summary,
        params,
        ADMINS,
        showsCalls,
        ViewMethods.whenWhole(views, Views.CALLS, handler));
  }

  private Outcome history(CallParams callParams) throws InterruptedException {
    RuleChangePage page =
        views
            .queries()
            .send(
                new ListRuleChanges(callParams.cursor("cursor"), callParams.limit()),
                RuleChangePage.class);
    List<Map<String, Object>> activated = new ArrayList<>();
    List<Map<String, Object>> rejected = new ArrayList<>();
    for (RuleChange change : page.changes()) {
      Map<String, Object> members = new LinkedHashMap<>();
      members.put("position", change.position());
      members.put("at", change.at());
      if (change.mistakes().isPresent()) {
        members.put("node", change.node());
        members.put("mistakes", change.mistakes().get());
        rejected.add(members);
      } else {
        members.put("hash", change.hash());
        members.put("node", change.node());
        activated.add(members);
      }
    }
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("activations", activated);
    result.put("rejections", rejected);
    DroppedPart.add(result, views, Optional.empty());
    page.next().ifPresent(next -> result.put("cursor", Long.toString(next)));
    return Outcome.answered(result);
  }

  private Outcome text(String hash) throws InterruptedException {
    FoundActivation found = activations.find(hash, Long.MAX_VALUE);
    if (found.activation().isPresent()) {
      return Outcome.answered(textJson(found.activation().get().rules()));
    }
    return found.reached().upToDate()
        ? noRules()
        : new Outcome.Busy(
            "the view has reached position %d of %d: try again"
                .formatted(found.reached().position(), found.reached().awaited()));
  }

  private Outcome noRules() {
    DroppedPart.NotFound notFound =
        DroppedPart.notFound(
            "no rules of this hash were activated: rules.history lists all that were", views);
    return new Outcome.InvalidParams(
        notFound.sentence(),
        "hash",
        "the hash of rules that were activated",
        "string",
        notFound.data());
  }

  private static Map<String, Object> textJson(RulesActivated rules) {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("hash", rules.rulesHash());
    result.put("text", rules.rules());
    result.put(
        "policies",
        rules.policies().stream().map(it -> textJson("name", it.file(), it.text())).toList());
    if (rules.schema() != null) {
      result.put("schema", rules.schema());
    }
    return result;
  }

  private static Map<String, Object> textJson(String label, String name, String text) {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put(label, name);
    result.put("text", text);
    return result;
  }

  private Outcome excerpt(UUID call) throws InterruptedException {
    return switch (decisionExcerpts.find(call)) {
      case ExcerptResult.Found(var excerpt) ->
          new Outcome.Answered(excerptJson(excerpt), Optional.of(call));
      case ExcerptResult.UnknownCall() -> {
        DroppedPart.NotFound notFound =
            DroppedPart.notFound("nothing is recorded of this call", views);
        yield new Outcome.UnknownCall(notFound.sentence(), call, notFound.data());
      }
      case ExcerptResult.NotReadable(var sentence) -> new Outcome.NotShown(sentence, call);
    };
  }

  private static Map<String, Object> excerptJson(Excerpt excerpt) {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("hash", excerpt.rulesHash());
    result.put("activatedAt", excerpt.activatedAt());
    excerpt.rule().ifPresent(rule -> result.put("rule", rule));
    result.put(
        "policies",
        excerpt.policies().stream().map(it -> textJson("id", it.id(), it.text())).toList());
    return result;
  }
}
