package gatebook.api.operator.methods;

import gatebook.api.operator.rpc.CallParams;
import gatebook.api.operator.rpc.OperatorMethod;
import gatebook.api.operator.rpc.OperatorMethod.Outcome;
import gatebook.api.operator.rpc.ParamTypes;
import gatebook.api.rpc.RequestMember;
import gatebook.command.rules.KnownOperator.Role;
import gatebook.query.Views;
import gatebook.query.denials.CountDenials;
import gatebook.query.denials.DenialDimension;
import gatebook.query.denials.DenialGroup;
import gatebook.query.denials.DenialQueries;
import gatebook.query.faults.CompareFaultRates;
import gatebook.query.faults.CountFaults;
import gatebook.query.faults.FaultCount;
import gatebook.query.faults.FaultDimension;
import gatebook.query.faults.FaultQueries;
import gatebook.query.faults.FaultRate;
import gatebook.query.faults.GroupFaults;
import gatebook.query.projection.View.Reached;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;

/** The counting methods: {@code audit.denials} and {@code audit.errors}. */
public final class CountingMethods {
  static final RequestMember SINCE =
      RequestMember.optional("since", ParamTypes.TIME, "Recorded at or after this time.");
  static final RequestMember UNTIL =
      RequestMember.optional("until", ParamTypes.TIME, "Recorded before this time.");

  private static final int PAGE = 100;

  private final Views views;
  private final InstantSource clock;

  public CountingMethods(Views views, InstantSource clock) {
    this.views = views;
    this.clock = clock;
  }

  public List<OperatorMethod> all() {
    return List.of(denials(), errors());
  }

  private OperatorMethod denials() {
    return new OperatorMethod(
        "audit.denials",
        "Counts the denied calls, in groups, each with its first and last time and its trend.",
        params(
            List.of(
                SINCE,
                UNTIL,
                RequestMember.optional(
                    "asOf", ParamTypes.TIME, "Counts only what was recorded up to this time.")),
            CountedFilters.DENIALS,
            RequestMember.optional(
                "by",
                ParamTypes.DIMENSIONS,
                "The dimensions of the groups; gate by default. Groups of minutes, hours or days"
                    + " have no trend.")),
        Set.of(Role.VIEW),
        true,
        ViewMethods.whenWhole(views.named(Views.DENIALS), (callParams, _) -> denials(callParams)));
  }

  private OperatorMethod errors() {
    return new OperatorMethod(
        "audit.errors",
        "Groups the error responses, each group with its count, first and last time and trend.",
        params(
            List.of(
                SINCE,
                RequestMember.optional(
                    "until", ParamTypes.TIME, "Recorded before this time; now by default.")),
            CountedFilters.ERRORS,
            RequestMember.optional(
                "by",
                ParamTypes.ERROR_DIMENSIONS,
                "The dimensions of the groups, whose trend then compares the last hour with the day"
                    + " before; agent and skill leave out all errors but those of agents. Groups"
                    + " of minutes, hours or days have no trend. By default, a group has all"
                    + " members in common.")),
        Set.of(Role.VIEW),
        true,
        ViewMethods.whenWhole(views.named(Views.FAULTS), (callParams, _) -> errors(callParams)));
  }

  private static List<RequestMember> params(
      List<RequestMember> times, List<RequestMember> filter, RequestMember by) {
    return Stream.of(times, filter, List.of(by, limit(), AuditMethods.AT_LEAST))
        .flatMap(List::stream)
        .toList();
  }

  private static RequestMember limit() {
    return RequestMember.optional(
        "limit", ParamTypes.PAGE, "The maximum number of groups; %d by default.".formatted(PAGE));
  }

  private Outcome denials(CallParams callParams) throws InterruptedException {
    DenialQueries.Counts counts =
        views
            .queries()
            .send(
                new CountDenials(
                    CountedFilters.denials(
                        callParams, earlier(callParams.time("until"), callParams.time("asOf"))),
                    dimensions(callParams),
                    clock.instant(),
                    callParams.page("limit", PAGE),
                    callParams.position("atLeast")),
                DenialQueries.Counts.class);
    Map<String, Object> result = ViewMethods.positionJson(counts.reached());
    result.put("total", counts.total());
    result.put("groups", counts.groups().stream().map(CountingMethods::groupJson).toList());
    result.put("more", counts.more());
    return Outcome.answered(result);
  }

  /** The time {@code asOf} itself is included, {@code until} is not. */
  private static Optional<Instant> earlier(Optional<Instant> until, Optional<Instant> asOf) {
    return Stream.of(until, asOf.map(it -> it.plusNanos(1)))
        .flatMap(Optional::stream)
        .min(Instant::compareTo);
  }

  private static List<DenialDimension> dimensions(CallParams callParams) {
    return callParams.texts("by").stream()
        .map(word -> AuditMethods.byWord(DenialDimension.values(), DenialDimension::word, word))
        .toList();
  }

  private static Map<String, Object> groupJson(DenialGroup denialGroup) {
    Map<String, Object> result = new LinkedHashMap<>(denialGroup.members());
    result.put("count", denialGroup.count());
    result.put("firstAt", denialGroup.firstAt());
    result.put("lastAt", denialGroup.lastAt());
    result.put("lastCallId", denialGroup.lastCallId());
    if (denialGroup.trend() != null) {
      result.put("trend", denialGroup.trend());
    }
    return result;
  }

  private Outcome errors(CallParams callParams) throws InterruptedException {
    List<FaultDimension> by =
        callParams.texts("by").stream()
            .map(word -> AuditMethods.byWord(FaultDimension.values(), FaultDimension::word, word))
            .toList();
    OptionalInt partSeconds =
        by.stream().filter(FaultDimension::isTime).mapToInt(FaultDimension::seconds).min();
    if (by.isEmpty()) {
      return errorGroups(callParams);
    }
    return partSeconds.isPresent()
        ? errorCounts(callParams, by, partSeconds.getAsInt())
        : errorRates(callParams, by);
  }

  private Outcome errorCounts(CallParams callParams, List<FaultDimension> by, int partSeconds)
      throws InterruptedException {
    FaultQueries.FaultCounts counts =
        views
            .queries()
            .send(
                new CountFaults(
                    CountedFilters.errors(callParams),
                    by,
                    clock.instant(),
                    callParams.page("limit", PAGE),
                    callParams.position("atLeast")),
                FaultQueries.FaultCounts.class);
    return errors(
        counts.reached(),
        counts.since(),
        counts.until(),
        partSeconds,
        counts.groups().stream().map(CountingMethods::countJson).toList(),
        counts.more());
  }

  private static Map<String, Object> countJson(FaultCount faultCount) {
    Map<String, Object> result = new LinkedHashMap<>(faultCount.members());
    result.put("count", faultCount.count());
    result.put("firstAt", faultCount.firstAt());
    result.put("lastAt", faultCount.lastAt());
    if (faultCount.lastCallId() != null) {
      result.put("lastCallId", faultCount.lastCallId());
    }
    return result;
  }

  private Outcome errorRates(CallParams callParams, List<FaultDimension> by)
      throws InterruptedException {
    FaultQueries.Rates rates =
        views
            .queries()
            .send(
                new CompareFaultRates(
                    CountedFilters.errors(callParams),
                    by,
                    clock.instant(),
                    callParams.page("limit", PAGE),
                    callParams.position("atLeast")),
                FaultQueries.Rates.class);
    return errors(
        rates.reached(),
        rates.since(),
        rates.until(),
        rates.partSeconds(),
        rates.groups().stream().map(CountingMethods::rateJson).toList(),
        rates.more());
  }

  private static Map<String, Object> rateJson(FaultRate rate) {
    Map<String, Object> result = countJson(rate.faultCount());
    result.put("trend", rate.trend());
    result.put("lastHour", rate.lastHour());
    result.put("dayBefore", rate.dayBefore());
    result.put("dayBeforeHours", rate.dayBeforeHours());
    result.put("sparkline", rate.sparkline());
    return result;
  }

  private Outcome errorGroups(CallParams callParams) throws InterruptedException {
    FaultQueries.Groups groups =
        views
            .queries()
            .send(
                new GroupFaults(
                    CountedFilters.errors(callParams),
                    clock.instant(),
                    callParams.page("limit", PAGE),
                    callParams.position("atLeast")),
                FaultQueries.Groups.class);
    return errors(
        groups.reached(),
        groups.since(),
        groups.until(),
        groups.partSeconds(),
        groups.groups(),
        groups.more());
  }

  private static Outcome errors(
      Reached reached,
      Instant since,
      Instant until,
      double partSeconds,
      List<?> groups,
      boolean more) {
    Map<String, Object> result = ViewMethods.positionJson(reached);
    result.put("since", since.toString());
    result.put("until", until.toString());
    result.put("bucketSeconds", partSeconds);
    result.put("groups", groups);
    result.put("more", more);
    return Outcome.answered(result);
  }
}
