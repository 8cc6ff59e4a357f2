package gatebook.api.operator.methods;

import gatebook.api.operator.rpc.CallParams;
import gatebook.api.operator.rpc.Operator;
import gatebook.api.operator.rpc.OperatorMethod;
import gatebook.api.operator.rpc.OperatorMethod.Outcome;
import gatebook.api.operator.rpc.ParamTypes;
import gatebook.api.rpc.RequestMember;
import gatebook.command.rules.KnownOperator.Role;
import gatebook.query.Views;
import gatebook.query.call.CallStatus;
import gatebook.query.call.CallView;
import gatebook.query.calls.CallQueries.FoundCallRows;
import gatebook.query.calls.FindCallRows;
import gatebook.query.denials.DenialQueries.DenialPage;
import gatebook.query.denials.ListDenials;
import gatebook.query.denials.ListedDenial;
import gatebook.query.faults.FaultQueries.FaultPage;
import gatebook.query.faults.ListFaults;
import gatebook.query.faults.ListedFault;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The methods that list what the counting methods count: {@code audit.deniedCalls} and {@code
 * audit.failedCalls}. The filter of a group lists exactly that group.
 */
public final class CountedCallMethods {
  private static final int PAGE = 100;
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
        params(CountedFilters.DENIALS),
        VIEWERS,
        true,
        whenWhole(Views.DENIALS, this::deniedCalls));
  }

  private OperatorMethod failedCalls() {
    return new OperatorMethod(
        "audit.failedCalls",
        "Lists the error responses that audit.errors counts, newest first. The fingerprint of a"
            + " group, or its members, list exactly that group.",
        params(CountedFilters.ERRORS),
        VIEWERS,
        true,
        whenWhole(Views.FAULTS, this::failedCalls));
  }

  private static List<RequestMember> params(List<RequestMember> filter) {
    return Stream.of(
            List.of(CountingMethods.SINCE, CountingMethods.UNTIL),
            filter,
            List.of(limit(), cursor(), AuditMethods.AT_LEAST))
        .flatMap(List::stream)
        .toList();
  }

  private static RequestMember limit() {
    return RequestMember.optional(
        "limit", ParamTypes.PAGE, "The maximum number of entries; %d by default.".formatted(PAGE));
  }

  private static RequestMember cursor() {
    return RequestMember.optional("cursor", ParamTypes.CURSOR, "The cursor of the previous page.");
  }

  /** The rows of calls come from another view than the list. */
  private OperatorMethod.Handler whenWhole(String view, OperatorMethod.Handler handler) {
    return ViewMethods.whenWhole(
        views.named(view), ViewMethods.whenWhole(views.named(Views.CALLS), handler));
  }

  private Outcome deniedCalls(CallParams callParams, Operator operator)
      throws InterruptedException {
    DenialPage page =
        views
            .queries()
            .send(
                new ListDenials(
                    CountedFilters.denials(callParams, callParams.time("until")),
                    callParams.cursor("cursor"),
                    callParams.page("limit", PAGE),
                    callParams.position("atLeast")),
                DenialPage.class);
    Map<UUID, CallView> calls =
        calls(
            page.denials().stream().map(ListedDenial::callId).toList(), page.reached().position());
    Map<String, Object> result = ViewMethods.positionJson(page.reached());
    result.put("total", page.total());
    result.put(
        "calls",
        page.denials().stream()
            .map(denial -> denialJson(denial, calls.get(denial.callId())))
            .toList());
    page.next().ifPresent(next -> result.put("cursor", Long.toString(next)));
    return Outcome.answered(result);
  }

  private Outcome failedCalls(CallParams callParams, Operator operator)
      throws InterruptedException {
    FaultPage page =
        views
            .queries()
            .send(
                new ListFaults(
                    CountedFilters.errors(callParams),
                    callParams.cursor("cursor"),
                    callParams.page("limit", PAGE),
                    callParams.position("atLeast")),
                FaultPage.class);
    Map<UUID, CallView> calls =
        calls(
            page.faults().stream()
                .flatMap(fault -> Optional.ofNullable(fault.callId()).stream())
                .toList(),
            page.reached().position());
    Map<String, Object> result = ViewMethods.positionJson(page.reached());
    result.put("total", page.total());
    result.put("calls", page.faults().stream().map(fault -> faultJson(fault, calls)).toList());
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
      ListedDenial denial, @Nullable CallView call) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("at", denial.at());
    json.put("gate", denial.gate());
    json.put("reason", denial.reason());
    if (call == null) {
      addRow(json, Map.of("callId", denial.callId(), "status", CallStatus.DENIED.word()));
      json.put("target", denial.tool());
      json.put("principal", denial.principal());
    } else {
      addRow(json, AuditMethods.row(call));
    }
    json.put("dialect", denial.dialect());
    json.put("code", denial.code());
    return json;
  }

  private static Map<String, @Nullable Object> faultJson(
      ListedFault fault, Map<UUID, CallView> calls) {
    CallView call = fault.callId() == null ? null : calls.get(fault.callId());
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("at", fault.at());
    json.put("times", fault.times());
    json.put("fingerprint", fault.fingerprint());
    json.put("agent", fault.agent());
    json.put("skill", fault.skill());
    if (call == null) {
      addRow(json, Map.of());
      json.put("callId", fault.callId());
      json.put("code", fault.code() == null || !fault.code().isNumber() ? null : fault.code());
    } else {
      addRow(json, AuditMethods.row(call));
    }
    json.put("dialect", fault.dialect());
    json.put("target", fault.target());
    json.put("gate", fault.gate());
    json.put("fault", fault.fault());
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
