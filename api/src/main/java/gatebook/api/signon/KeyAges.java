package gatebook.api.signon;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.Map;

/** Gauges of the ages of keys, one for each issuer of the rules in force. */
final class KeyAges {
  private static final double MILLIS = 1_000;

  private final MeterRegistry meters;
  private final Map<String, Meter> gauges = new HashMap<>();

  /** By the name of the issuer. */
  private volatile Map<String, IssuerKeys> shown = Map.of();

  KeyAges(MeterRegistry meters) {
    this.meters = meters;
  }

  /**
   * Shows the ages of these keys, and of no others.
   *
   * @param keys by the name of their issuer
   */
  synchronized void show(Map<String, IssuerKeys> keys) {
    shown = Map.copyOf(keys);
    gauges
        .entrySet()
        .removeIf(
            gauge -> !keys.containsKey(gauge.getKey()) && meters.remove(gauge.getValue()) != null);
    keys.keySet().forEach(issuer -> gauges.computeIfAbsent(issuer, this::gauge));
  }

  private Meter gauge(String issuer) {
    return Gauge.builder("gatebook.sign.on.keys.age", this, ages -> ages.seconds(issuer))
        .baseUnit("seconds")
        .description("time since the keys of an issuer were read, or first needed")
        .tag("issuer", issuer)
        .register(meters);
  }

  private double seconds(String issuer) {
    IssuerKeys keys = shown.get(issuer);
    return keys == null ? Double.NaN : keys.age().toMillis() / MILLIS;
  }
}
