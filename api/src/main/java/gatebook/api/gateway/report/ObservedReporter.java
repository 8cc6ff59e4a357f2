package gatebook.api.gateway.report;

import gatebook.command.call.ObservedVerdicts;
import gatebook.events.call.ObservedVerdict;
import gatebook.events.call.ObservedVerdict.Outcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports the verdicts of observed candidates: counts them, apart from all others, and logs the
 * first failure of each kind of the newest candidate.
 */
public final class ObservedReporter implements ObservedVerdicts {
  private static final Logger LOG = LoggerFactory.getLogger(ObservedReporter.class);

  /** The reasons of failures, which are few. */
  private static final String[] REASONS = {"broken", "exception", "policy-error"};

  private final Map<Outcome, Counter> verdicts = new EnumMap<>(Outcome.class);
  private final ConcurrentMap<String, Counter> failures = new ConcurrentHashMap<>();
  private final MeterRegistry meters;

  /** The candidates whose failure was logged, by the reason. */
  private final ConcurrentMap<String, String> logged = new ConcurrentHashMap<>();

  /** Registers every counter at zero, so that a watcher sees also the first increment. */
  public ObservedReporter(MeterRegistry meters) {
    this.meters = meters;
    for (Outcome outcome : Outcome.values()) {
      verdicts.put(
          outcome,
          Counter.builder("gatebook.observed.verdicts")
              .description("verdicts of the observed candidate, which have no effect")
              .tag("verdict", outcome.word())
              .register(meters));
    }
    for (String reason : REASONS) {
      var _ = failures.computeIfAbsent(reason, this::failureCounter);
    }
  }

  private Counter failureCounter(String reason) {
    return Counter.builder("gatebook.observed.failures")
        .description("calls that the observed candidate could not decide")
        .tag("reason", reason)
        .register(meters);
  }

  @Override
  public void add(ObservedVerdict verdict) {
    Objects.requireNonNull(verdicts.get(verdict.outcome())).increment();
    if (verdict.outcome() == Outcome.FAILED && verdict.reason() != null) {
      addFailure(verdict, verdict.reason());
    }
  }

  private void addFailure(ObservedVerdict verdict, String reason) {
    failures.computeIfAbsent(reason, this::failureCounter).increment();
    if (!verdict.rulesHash().equals(logged.put(reason, verdict.rulesHash()))) {
      LOG.atWarn()
          .addKeyValue("rules_hash", verdict.rulesHash())
          .addKeyValue("reason", reason)
          .addKeyValue("rule", verdict.rule())
          .addKeyValue("errors", verdict.errors())
          .log("the observed candidate cannot decide a call: answers are not affected");
    }
  }
}
