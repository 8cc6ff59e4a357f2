package gatebook.api.operator.methods;

import gatebook.api.operator.rpc.CallParams;
import gatebook.api.operator.rpc.OperatorMethod;
import gatebook.api.operator.rpc.OperatorMethod.Outcome;
import gatebook.api.operator.rpc.ParamTypes;
import gatebook.api.rpc.DeclaredParams;
import gatebook.api.rpc.RequestMember;
import gatebook.command.rules.KnownOperator.Role;
import gatebook.query.Views;
import gatebook.query.errors.CountErrors;
import gatebook.query.errors.Counted;
import gatebook.query.errors.ErrorDimension;
import gatebook.query.errors.ErrorFilter;
import gatebook.query.errors.ErrorGroup;
import gatebook.query.errors.ErrorQueries.ErrorCounts;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The counting methods: {@code audit.denials} and {@code audit.errors}. */
public final class CountingMethods {
  static final RequestMember SINCE =
      RequestMember.optional("since", ParamTypes.TIME, "Recorded at or after this time.");
  static final RequestMember UNTIL =
      RequestMember.optional("until", ParamTypes.TIME, "Recorded before this time.");

  /** The params of {@code audit.denials}. */
  public static final DeclaredParams DENIALS =
      params(
          List.of(
              SINCE,
              UNTIL,
              RequestMember.optional(
                  "asOf", ParamTypes.TIME, "Counts only what was recorded up to this time."),
              CountedFilters.observed(
                  "Counts instead the calls that the observed candidate would deny; these have"
                      + " no dialect and no code.")),
          CountedFilters.DENIALS,
          RequestMember.optional(
                  "by",
                  ParamTypes.DIMENSIONS,
                  "The dimensions of the groups. Groups of minutes, hours or days have no trend.")
              .byDefault("[\"gate\"]"));

  /** The params of {@code audit.errors}. */
  public static final DeclaredParams ERRORS =
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
                  + " members in common."));

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
        DENIALS,
        Set.of(Role.VIEW),
        true,
        ViewMethods.whenWhole(views, Views.DENIALS, (callParams, _) -> denials(callParams)));
  }

  private OperatorMethod errors() {
    return new OperatorMethod(
        "audit.errors",
        "Groups the error responses, each group with its count, first and last time and trend.",
        ERRORS,
        Set.of(Role.VIEW),
        true,
        ViewMethods.whenWhole(views, Views.FAULTS, (callParams, _) -> errors(callParams)));
  }

  private static DeclaredParams params(
      List<RequestMember> times, List<RequestMember> filter, RequestMember by) {
    return new DeclaredParams(
        Stream.of(times, filter, List.of(by, ParamTypes.limit("groups"), AuditMethods.AT_LEAST))
            .flatMap(List::stream)
            .toList());
  }

  private Outcome denials(CallParams callParams) throws InterruptedException {
    Optional<Outcome> contradiction = CountedFilters.contradiction(callParams);
    if (contradiction.isPresent()) {
      return contradiction.get();
    }
    CountErrors query =
        query(
            callParams,
            CountedFilters.denials(
                callParams, earlier(callParams.time("until"), callParams.time("asOf"))));
    ErrorCounts counts = views.queries().send(query, ErrorCounts.class);
    Map<String, Object> result = ViewMethods.positionJson(counts.reached());
    result.put("total", counts.total());
    result.put("groups", counts.groups().stream().map(CountingMethods::denialsJson).toList());
    addDropped(result, query);
    result.put("more", counts.more());
    return Outcome.answered(result);
  }

  /** The time {@code asOf} itself is included, {@code until} is not. */
  private static Optional<Instant> earlier(Optional<Instant> until, Optional<Instant> asOf) {
    return Stream.of(until, asOf.map(it -> it.plusNanos(1)))
        .flatMap(Optional::stream)
        .min(Instant::compareTo);
  }

  private Outcome errors(CallParams callParams) throws InterruptedException {
    CountErrors query = query(callParams, CountedFilters.errors(callParams));
    ErrorCounts counts = views.queries().send(query, ErrorCounts.class);
    Map<String, Object> result = ViewMethods.positionJson(counts.reached());
    result.put("since", counts.since().toString());
    result.put("until", counts.until().toString());
    result.put("bucketSeconds", counts.partSeconds());
    result.put("groups", counts.groups().stream().map(CountingMethods::errorsJson).toList());
    addDropped(result, query);
    result.put("more", counts.more());
    return Outcome.answered(result);
  }

  private CountErrors query(CallParams callParams, ErrorFilter filter) {
    return new CountErrors(
        filter,
        dimensions(filter.counted(), callParams.texts("by")),
        clock.instant(),
        callParams.limit(),
        callParams.position("atLeast"));
  }

  private void addDropped(Map<String, Object> result, CountErrors query) {
    if (!query.isExactWithDropped()) {
      DroppedPart.add(result, views, query.filter().since());
    }
  }

  private static List<ErrorDimension> dimensions(Counted counted, List<String> words) {
    ErrorDimension[] all = counted.dimensions().toArray(ErrorDimension[]::new);
    return words.stream()
        .map(word -> AuditMethods.byWord(all, ErrorDimension::word, word))
        .toList();
  }

  private static Map<String, Object> denialsJson(ErrorGroup group) {
    Map<String, Object> result = new LinkedHashMap<>(group.members());
    result.put("count", group.count());
    result.put("firstAt", group.firstAt());
    result.put("lastAt", group.lastAt());
    result.put("lastCallId", group.lastCallId());
    if (group.trend() != null) {
      result.put("trend", group.trend());
    }
    return result;
  }

  /** What the errors do not have is left out. */
  private static Map<String, Object> errorsJson(ErrorGroup group) {
    Map<String, Object> result = denialsJson(group);
    result.values().removeIf(Objects::isNull);
    if (group.rate() != null) {
      result.put("lastHour", group.rate().lastHour());
      result.put("dayBefore", group.rate().dayBefore());
      result.put("dayBeforeHours", group.rate().dayBeforeHours());
    }
    if (!group.sparkline().isEmpty()) {
      result.put("sparkline", group.sparkline());
    }
    return result;
  }
}
