package gatebook.api.gateway.report;

import gatebook.events.call.DenialReason;
import gatebook.events.call.Dialect;
import gatebook.events.call.ErrorResponse;
import gatebook.events.call.Gate;
import gatebook.events.fault.Category;
import gatebook.events.fault.DefinedErrors;
import gatebook.events.fault.DefinedErrors.DefinedError;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Misdirected;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Counters of error responses and of denials. No label holds what a caller sent. */
final class ErrorCounters {

  /** Stands for all codes that only sources send; no vocabulary has it. */
  private static final int FOREIGN = 0;

  /** The dialects that pass on the codes of sources. */
  private static final Set<Dialect> OF_SOURCES = Set.of(Dialect.MCP, Dialect.DAEMON);

  private final MeterRegistry meters;

  /** Looking a meter up by its tags costs more than counting; there are few. */
  private final ConcurrentMap<Kind, List<Counter>> errors = new ConcurrentHashMap<>();

  private final ConcurrentMap<Denial, Counter> denials = new ConcurrentHashMap<>();

  private final Map<Misdirected.Limit, Counter> limits = new EnumMap<>(Misdirected.Limit.class);

  private record Kind(Dialect dialect, int code, String gate, Category category) {}

  private record Denial(String gate, DenialReason reason) {}

  /** Registers every counter at zero, so that a watcher sees also the first increment. */
  ErrorCounters(MeterRegistry meters) {
    this.meters = meters;
    for (DefinedError error : DefinedErrors.all()) {
      var _ = countersOf(new Kind(error.dialect(), error.code(), error.gate(), error.category()));
    }
    DefinedErrors.all().forEach(this::registerAsUpstream);
    for (Dialect dialect : OF_SOURCES) {
      var _ = countersOf(new Kind(dialect, FOREIGN, "", Category.UPSTREAM));
    }
    for (DenialReason reason : DenialReason.values()) {
      Denial denial = new Denial(gate(reason).word(), reason);
      denials.put(denial, counter(denial));
    }
    for (Misdirected.Limit limit : Misdirected.Limit.values()) {
      limits.put(
          limit,
          counter(
              "gatebook.rate.limited",
              "error responses by the limit that was reached",
              Tags.of("limit", limit.word())));
    }
  }

  /** A source may send any code that the gateway defines. */
  private void registerAsUpstream(DefinedError error) {
    if (OF_SOURCES.contains(error.dialect())) {
      var _ = countersOf(new Kind(error.dialect(), error.code(), "", Category.UPSTREAM));
    }
  }

  void countDenial(Fault fault, DenialReason reason) {
    denials.computeIfAbsent(new Denial(gate(fault), reason), this::counter).increment();
  }

  void countError(Fault fault, ErrorResponse errorResponse) {
    int code =
        DefinedErrors.hasCode(errorResponse.dialect(), errorResponse.code())
            ? errorResponse.code()
            : FOREIGN;
    countersOf(new Kind(errorResponse.dialect(), code, gate(fault), fault.category()))
        .forEach(Counter::increment);
    if (fault instanceof Misdirected.RateLimited(var limit, _)) {
      Objects.requireNonNull(limits.get(limit), "every limit has a counter").increment();
    }
  }

  void countMissing(String source, Fault fault) {
    Counter.builder("gatebook.answers.missing")
        .description("parts of merged answers for which a source could not be asked")
        .tags("source", source, "fault", fault.kind())
        .register(meters)
        .increment();
  }

  private List<Counter> countersOf(Kind kind) {
    return errors.computeIfAbsent(kind, this::counters);
  }

  private Counter counter(Denial denial) {
    return Counter.builder("thoughtgate.gate.denials")
        .description("calls that a gate denied")
        .tags("gate", denial.gate, "reason", denial.reason.word())
        .register(meters);
  }

  private List<Counter> counters(Kind kind) {
    Tags tags =
        Tags.of(
            "code",
            kind.code == FOREIGN ? "other" : Integer.toString(kind.code),
            "gate",
            kind.gate,
            "category",
            kind.category.word());
    Counter all =
        counter("gatebook.errors", "error responses", tags.and("dialect", kind.dialect.word()));
    return switch (kind.dialect) {
      case MCP, DAEMON ->
          List.of(
              all,
              counter(
                  "thoughtgate.errors", "error responses with the codes that MCP shares", tags));
      case FLOW, A2A -> List.of(all);
    };
  }

  private Counter counter(String name, String description, Tags tags) {
    return Counter.builder(name).description(description).tags(tags).register(meters);
  }

  private static String gate(Fault fault) {
    return fault.gate().map(Gate::word).orElse("");
  }

  private static Gate gate(DenialReason reason) {
    return switch (reason) {
      case SOURCE_UNKNOWN, SOURCE_DISABLED, NOT_EXPOSED -> Gate.VISIBILITY;
      case RULE, DEFAULT_ACTION -> Gate.GOVERNANCE;
      case POLICY_FORBIDS, NO_POLICY_PERMITS, POLICY_ERROR -> Gate.POLICY;
      case REJECTED, TIMED_OUT, WORKFLOW_NOT_FOUND, NOT_ASKED -> Gate.APPROVAL;
    };
  }
}
