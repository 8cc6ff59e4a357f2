package gatebook.events.journal;

import gatebook.events.bench.Times;
import java.util.Arrays;
import java.util.Locale;

/**
 * A sample of one subject in one round: appends a second, their latency, events in a transaction (0
 * where not counted), and the processor time of its process for one event, the figure least
 * disturbed by other load.
 */
public record AppendSample(
    double perSecond,
    double p50Micros,
    double p99Micros,
    double maxMicros,
    double eventsPerBatch,
    double cpuMicros) {

  /** A sample from latencies in any order, which are sorted in place. */
  public static AppendSample of(
      long[] latencyNanos, long events, long elapsedNanos, double eventsPerBatch) {
    Times times = Times.of(latencyNanos);
    return new AppendSample(
        events * 1e9 / elapsedNanos,
        times.micros(0.50),
        times.micros(0.99),
        times.micros(1.0),
        eventsPerBatch,
        0);
  }

  AppendSample withEventsPerBatch(double figure) {
    return new AppendSample(perSecond, p50Micros, p99Micros, maxMicros, figure, cpuMicros);
  }

  AppendSample withCpuMicros(double figure) {
    return new AppendSample(perSecond, p50Micros, p99Micros, maxMicros, eventsPerBatch, figure);
  }

  /** The sample as one line between processes. */
  String line() {
    return String.format(
        Locale.ROOT,
        "%f %f %f %f %f %f",
        perSecond,
        p50Micros,
        p99Micros,
        maxMicros,
        eventsPerBatch,
        cpuMicros);
  }

  static AppendSample parse(String line) {
    double[] n = Arrays.stream(line.split(" ", -1)).mapToDouble(Double::parseDouble).toArray();
    return new AppendSample(n[0], n[1], n[2], n[3], n[4], n[5]);
  }
}
