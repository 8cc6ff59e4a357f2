package gatebook.events.journal.bench;

import java.util.Arrays;
import java.util.Locale;

/**
 * A sample of one subject in one round: appends a second, their latency, events in a transaction (0
 * where not counted), and the processor time of its process for one event, the figure least
 * disturbed by other load.
 */
public record Sample(
    double perSecond,
    double p50Micros,
    double p99Micros,
    double maxMicros,
    double eventsPerBatch,
    double cpuMicros) {

  /** A sample from latencies in any order, which are sorted in place. */
  public static Sample of(
      long[] latencyNanos, long events, long elapsedNanos, double eventsPerBatch) {
    if (latencyNanos.length == 0) {
      throw new IllegalStateException("not one request ended within the time of a round");
    }
    Arrays.sort(latencyNanos);
    return new Sample(
        events * 1e9 / elapsedNanos,
        quantile(latencyNanos, 0.50),
        quantile(latencyNanos, 0.99),
        quantile(latencyNanos, 1.0),
        eventsPerBatch,
        0);
  }

  private static double quantile(long[] sortedNanos, double share) {
    int rank = (int) Math.ceil(share * sortedNanos.length);
    return sortedNanos[Math.max(0, rank - 1)] / 1e3;
  }

  Sample withEventsPerBatch(double figure) {
    return new Sample(perSecond, p50Micros, p99Micros, maxMicros, figure, cpuMicros);
  }

  Sample withCpuMicros(double figure) {
    return new Sample(perSecond, p50Micros, p99Micros, maxMicros, eventsPerBatch, figure);
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

  static Sample parse(String line) {
    double[] n = Arrays.stream(line.split(" ", -1)).mapToDouble(Double::parseDouble).toArray();
    return new Sample(n[0], n[1], n[2], n[3], n[4], n[5]);
  }
}
