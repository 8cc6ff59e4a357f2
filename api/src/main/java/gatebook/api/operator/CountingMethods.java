package gatebook.api.operator;

import gatebook.api.operator.OperatorMethod.Outcome;
import gatebook.command.rules.KnownOperator.Role;
import gatebook.query.denials.DenialDimension;
import gatebook.query.denials.DenialGroup;
import gatebook.query.denials.DenialQueries;
import gatebook.query.faults.FaultQueries;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** How often something happened. */
final class CountingMethods {
  private static final int PAGE = 100;

  private final DenialQueries denialQueries;
  private final FaultQueries faultQueries;
  private final InstantSource clock;

  CountingMethods(DenialQueries denialQueries, FaultQueries faultQueries, InstantSource clock) {
    this.denialQueries = denialQueries;
    this.faultQueries = faultQueries;
    this.clock = clock;
  }

  List<OperatorMethod> all() {
    return List.of(denials(), errors());
  }

  private OperatorMethod denials() {
    return new OperatorMethod(
        "audit.denials",
        "How many calls were denied, by what.",
        List.of(
            MethodParam.optional("since", MethodParam.Type.TIME, "Recorded at or after it."),
            MethodParam.optional("until", MethodParam.Type.TIME, "Recorded before it."),
            MethodParam.optional("asOf", MethodParam.Type.TIME, "The counts as they were then."),
            MethodParam.optional(
                "by",
                MethodParam.Type.DIMENSIONS,
                "What they are counted by; by gate, unless told."),
            limit(),
            AuditMethods.AT_LEAST),
        Set.of(Role.VIEW),
        true,
        ViewMethods.of(denialQueries.view(), (callParams, _) -> denials(callParams)));
  }

  private OperatorMethod errors() {
    return new OperatorMethod(
        "audit.errors",
        "What went wrong, how often, since when, and where that goes.",
        List.of(
            MethodParam.optional("since", MethodParam.Type.TIME, "Recorded at or after it."),
            MethodParam.optional(
                "until", MethodParam.Type.TIME, "Recorded before it; now, unless told."),
            limit(),
            AuditMethods.AT_LEAST),
        Set.of(Role.VIEW),
        true,
        ViewMethods.of(faultQueries.view(), (callParams, _) -> errors(callParams)));
  }

  private static MethodParam limit() {
    return MethodParam.optional(
        "limit", MethodParam.Type.PAGE, "How many groups to show; %d unless told.".formatted(PAGE));
  }

  private Outcome denials(CallParams callParams) throws InterruptedException {
    DenialQueries.Counts counts =
        denialQueries.count(
            new DenialQueries.Question(
                callParams.time("since"),
                earlier(callParams.time("until"), callParams.time("asOf")),
                dimensions(callParams),
                callParams.page("limit", PAGE)),
            callParams.position("atLeast"));
    Map<String, Object> shown = ViewMethods.reached(counts.reached());
    shown.put("total", counts.total());
    shown.put("groups", counts.groups().stream().map(CountingMethods::shown).toList());
    shown.put("more", counts.more());
    return Outcome.answered(shown);
  }

  /** What is known as of a time is what was recorded up to it, and that moment, too. */
  private static Optional<Instant> earlier(Optional<Instant> until, Optional<Instant> asOf) {
    return Stream.of(until, asOf.map(it -> it.plusNanos(1)))
        .flatMap(Optional::stream)
        .min(Instant::compareTo);
  }

  private static List<DenialDimension> dimensions(CallParams callParams) {
    return callParams.texts("by").stream()
        .map(word -> AuditMethods.word(DenialDimension.values(), DenialDimension::word, word))
        .toList();
  }

  private static Map<String, Object> shown(DenialGroup denialGroup) {
    Map<String, Object> shown = new LinkedHashMap<>(denialGroup.members());
    shown.put("count", denialGroup.count());
    shown.put("lastAt", denialGroup.lastAt());
    shown.put("lastCallId", denialGroup.lastCallId());
    return shown;
  }

  private Outcome errors(CallParams callParams) throws InterruptedException {
    FaultQueries.Groups groups =
        faultQueries.group(
            callParams.time("since"),
            callParams.time("until"),
            clock.instant(),
            callParams.page("limit", PAGE),
            callParams.position("atLeast"));
    Map<String, Object> shown = ViewMethods.reached(groups.reached());
    shown.put("since", groups.since().toString());
    shown.put("until", groups.until().toString());
    shown.put("bucketSeconds", groups.partSeconds());
    shown.put("groups", groups.groups());
    shown.put("more", groups.more());
    return Outcome.answered(shown);
  }
}
