package gatebook.api.flow.webhook;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** Meters of webhooks: the attempts at deliveries by their outcomes. */
final class WebhookMeters {
  private final Map<Outcome, Counter> counters = new EnumMap<>(Outcome.class);

  enum Outcome {
    DELIVERED,
    RETRIED,
    GIVEN_UP
  }

  /** Registers every counter at zero, so that a watcher sees also the first increment. */
  WebhookMeters(MeterRegistry meters) {
    for (Outcome outcome : Outcome.values()) {
      counters.put(
          outcome,
          Counter.builder("gatebook.webhook.deliveries")
              .description("attempts at deliveries of webhooks")
              .tag("outcome", outcome.name().toLowerCase(Locale.ROOT))
              .register(meters));
    }
  }

  void count(Outcome outcome) {
    Counter counter = counters.get(outcome);
    if (counter != null) {
      counter.increment();
    }
  }
}
