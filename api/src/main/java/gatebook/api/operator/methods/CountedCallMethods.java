package gatebook.api.operator.methods;

import gatebook.api.operator.rpc.CallParams;
import gatebook.api.operator.rpc.Operator;
import gatebook.api.operator.rpc.OperatorMethod;
import gatebook.api.operator.rpc.OperatorMethod.Outcome;
import gatebook.api.operator.rpc.ParamTypes;
import gatebook.api.rpc.DeclaredParams;
import gatebook.api.rpc.RequestMember;
import gatebook.command.rules.KnownOperator.Role;
import gatebook.query.Views;
import gatebook.query.call.CallStatus;
import gatebook.query.call.CallView;
import gatebook.query.calls.CallQueries.FoundCallRows;
import gatebook.query.calls.FindCallRows;
import gatebook.query.errors.BothVerdicts;
import gatebook.query.errors.ErrorFilter;
import gatebook.query.errors.ErrorQueries.ErrorPage;
import gatebook.query.errors.ListErrors;
import gatebook.query.errors.ListedError;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The methods that list what the counting methods count: {@code audit.deniedCalls} and {@code
 * audit.failedCalls}. The filter of a group lists exactly that group.
 */
public final class CountedCallMethods {
  private static final Set<Role> VIEWERS = Set.of(Role.VIEW);

  /** The members of a row of {@code audit.calls}. */
  private static final List<String> ROW =
      List.of(
          "callId",
          "correlationId",
          "dialect",
          "method",
          "target",
          "principal",
          "status",
          "gate",
          "code",
          "fault",
          "receivedAt",
          "durationMillis");

  /** The params of {@code audit.deniedCalls}. */
  public static final DeclaredParams DENIED_CALLS =
      params(
          Stream.concat(
                  Stream.of(
                      CountedFilters.observed(
                          "Lists instead the calls that the observed candidate would deny, with"
                              + " the verdict that had effect as decided, and its own as"
                              + " observed.")),
                  CountedFilters.DENIALS.stream())
              .toList());

  /** The params of {@code audit.failedCalls}. */
  public static final DeclaredParams FAILED_CALLS = params(CountedFilters.ERRORS);

  private final Views views;

  public CountedCallMethods(Views views) {
    this.views = views;
  }

  public List<OperatorMethod> all() {
    return List.of(deniedCalls(), failedCalls());
  }

  private OperatorMethod deniedCalls() {
    return new OperatorMethod(
        "audit.deniedCalls",
        "Lists the denials that audit.denials counts, newest first. The members of a group list"
            + " exactly that group.",
        DENIED_CALLS,
        VIEWERS,
        true,
        whenWhole(Views.DENIALS, this::deniedCalls));
  }

  private OperatorMethod failedCalls() {
    return new OperatorMethod(
        "audit.failedCalls",
        "Lists the error responses that audit.errors counts, newest first. The fingerprint of a"
            + " group, or its members, list exactly that group.",
        FAILED_CALLS,
        VIEWERS,
        true,
        whenWhole(Views.FAULTS, this::failedCalls));
  }

  private static DeclaredParams params(List<RequestMember> filter) {
    return new DeclaredParams(
        Stream.of(
                List.of(CountingMethods.SINCE, CountingMethods.UNTIL),
                filter,
                List.of(
                    ParamTypes.limit("entries"), ParamTypes.CURSOR_PARAM, AuditMethods.AT_LEAST))
            .flatMap(List::stream)
            .toList());
  }

  /** The rows of calls come from another view than the list. */
  private OperatorMethod.Handler whenWhole(String view, OperatorMethod.Handler handler) {
    return ViewMethods.whenWhole(views, view, ViewMethods.whenWhole(views, Views.CALLS, handler));
  }

  private Outcome deniedCalls(CallParams callParams, Operator operator)
      throws InterruptedException {
    Optional<Outcome> contradiction = CountedFilters.contradiction(callParams);
    return contradiction.isPresent()
        ? contradiction.get()
        : list(
            callParams,
            CountedFilters.denials(callParams, callParams.time("until")),
            CountedFilters.isOfObserved(callParams)
                ? CountedCallMethods::observedJson
                : CountedCallMethods::denialJson);
  }

  private Outcome failedCalls(CallParams callParams, Operator operator)
      throws InterruptedException {
    return list(callParams, CountedFilters.errors(callParams), CountedCallMethods::errorJson);
  }

  private Outcome list(
      CallParams callParams,
      ErrorFilter filter,
      BiFunction<ListedError, @Nullable CallView, Map<String, @Nullable Object>> json)
      throws InterruptedException {
    ErrorPage page =
        views
            .queries()
            .send(
                new ListErrors(
                    filter,
                    callParams.cursor("cursor"),
                    callParams.limit(),
                    callParams.position("atLeast")),
                ErrorPage.class);
    Map<UUID, CallView> calls =
        calls(
            page.errors().stream()
                .flatMap(error -> Optional.ofNullable(error.callId()).stream())
                .toList(),
            page.reached().position());
    Map<String, Object> result = ViewMethods.positionJson(page.reached());
    result.put("total", page.total());
    DroppedPart.add(result, views, filter.since());
    result.put(
        "calls",
        page.errors().stream()
            .map(error ->
                json.apply(error, error.callId() == null ? null : calls.get(error.callId())))
            .toList());
    page.next().ifPresent(next -> result.put("cursor", Long.toString(next)));
    return Outcome.answered(result);
  }

  private Map<UUID, CallView> calls(List<UUID> callIds, long position) throws InterruptedException {
    return views.queries().send(new FindCallRows(callIds, position), FoundCallRows.class).calls();
  }

  /**
   * A denial with the row of its call, or what the denial says of it where the row is not there.
   */
  private static Map<String, @Nullable Object> denialJson(
      ListedError denial, @Nullable CallView call) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("at", denial.at());
    json.put("gate", denial.gate());
    json.put("reason", denial.reason());
    addCall(json, denial, call);
    if (call == null) {
      json.put("status", CallStatus.DENIED.word());
    }
    json.put("dialect", denial.dialect());
    json.put("code", denial.code());
    return json;
  }

  /** A call that a candidate would deny: gate and reason are those of the candidate. */
  private static Map<String, @Nullable Object> observedJson(
      ListedError denial, @Nullable CallView call) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("at", denial.at());
    json.put("gate", denial.gate());
    json.put("reason", denial.reason());
    BothVerdicts verdicts = denial.bothVerdicts();
    json.put("decided", verdicts == null ? null : verdicts.decided());
    json.put("observed", verdicts == null ? null : verdicts.observed());
    addCall(json, denial, call);
    return json;
  }

  private static void addCall(
      Map<String, @Nullable Object> json, ListedError denial, @Nullable CallView call) {
    if (call == null) {
      addRow(json, Map.of());
      json.put("callId", denial.callId());
      json.put("target", denial.target());
      json.put("principal", denial.principal());
    } else {
      addRow(json, AuditMethods.row(call));
    }
  }

  private static Map<String, @Nullable Object> errorJson(
      ListedError error, @Nullable CallView call) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("at", error.at());
    json.put("times", error.times());
    json.put("fingerprint", error.fingerprint());
    json.put("agent", error.agent());
    json.put("skill", error.skill());
    if (call == null) {
      addRow(json, Map.of());
      json.put("callId", error.callId());
      json.put("code", error.code() instanceof Integer ? error.code() : null);
    } else {
      addRow(json, AuditMethods.row(call));
    }
    json.put("dialect", error.dialect());
    json.put("target", error.target());
    json.put("gate", error.gate());
    json.put("fault", error.fault());
    return json;
  }

  /** Adds the members of a row that are not there yet, in their order. */
  private static void addRow(
      Map<String, @Nullable Object> json, Map<String, ? extends @Nullable Object> row) {
    for (String member : ROW) {
      if (!json.containsKey(member)) {
        json.put(member, row.get(member));
      }
    }
  }
}
