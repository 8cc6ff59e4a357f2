package gatebook.api.operator;

import gatebook.api.operator.Method.Outcome;
import gatebook.command.rules.KnownOperator.Role;
import gatebook.query.denials.Denials;
import gatebook.query.denials.Dimension;
import gatebook.query.denials.Group;
import gatebook.query.faults.Faults;
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

  private final Denials denials;
  private final Faults faults;
  private final InstantSource clock;

  CountingMethods(Denials denials, Faults faults, InstantSource clock) {
    this.denials = denials;
    this.faults = faults;
    this.clock = clock;
  }

  List<Method> all() {
    return List.of(denials(), errors());
  }

  private Method denials() {
    return new Method(
        "audit.denials",
        "How many calls were denied, by what.",
        List.of(
            Param.optional("since", Param.Type.TIME, "Recorded at or after it."),
            Param.optional("until", Param.Type.TIME, "Recorded before it."),
            Param.optional("asOf", Param.Type.TIME, "The counts as they were then."),
            Param.optional(
                "by", Param.Type.DIMENSIONS, "What they are counted by; by gate, unless told."),
            limit(),
            AuditMethods.AT_LEAST),
        Set.of(Role.VIEW),
        true,
        ViewMethods.of(denials.view(), (params, _) -> denials(params)));
  }

  private Method errors() {
    return new Method(
        "audit.errors",
        "What went wrong, how often, since when, and where that goes.",
        List.of(
            Param.optional("since", Param.Type.TIME, "Recorded at or after it."),
            Param.optional("until", Param.Type.TIME, "Recorded before it; now, unless told."),
            limit(),
            AuditMethods.AT_LEAST),
        Set.of(Role.VIEW),
        true,
        ViewMethods.of(faults.view(), (params, _) -> errors(params)));
  }

  private static Param limit() {
    return Param.optional(
        "limit", Param.Type.PAGE, "How many groups to show; %d unless told.".formatted(PAGE));
  }

  private Outcome denials(Params params) throws InterruptedException {
    Denials.Counts counts =
        denials.count(
            new Denials.Question(
                params.time("since"),
                earlier(params.time("until"), params.time("asOf")),
                dimensions(params),
                params.page("limit", PAGE)),
            params.position("atLeast"));
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

  private static List<Dimension> dimensions(Params params) {
    return params.texts("by").stream()
        .map(word -> AuditMethods.word(Dimension.values(), Dimension::word, word))
        .toList();
  }

  private static Map<String, Object> shown(Group group) {
    Map<String, Object> shown = new LinkedHashMap<>(group.members());
    shown.put("count", group.count());
    shown.put("lastAt", group.lastAt());
    shown.put("lastCallId", group.lastCallId());
    return shown;
  }

  private Outcome errors(Params params) throws InterruptedException {
    Faults.Groups groups =
        faults.group(
            params.time("since"),
            params.time("until"),
            clock.instant(),
            params.page("limit", PAGE),
            params.position("atLeast"));
    Map<String, Object> shown = ViewMethods.reached(groups.reached());
    shown.put("since", groups.since().toString());
    shown.put("until", groups.until().toString());
    shown.put("bucketSeconds", groups.partSeconds());
    shown.put("groups", groups.groups());
    shown.put("more", groups.more());
    return Outcome.answered(shown);
  }
}
