package gatebook.api.load;

import java.util.Arrays;

/**
 * The counts of one round of load: a sample.
 *
 * @param statuses responses with a status of 400 and above
 * @param broken connections, reads, writes and responses that failed or came too late
 */
public record Sample(
    long answers, long micros, long p50Micros, long p99Micros, long statuses, long broken) {

  /** Parses the line that the script of {@link Wrk} prints. */
  static Sample parse(String line) {
    long[] n = Arrays.stream(line.split(" ", -1)).mapToLong(Long::parseLong).toArray();
    return new Sample(n[0], n[1], n[2], n[3], n[4], n[5]);
  }

  public double perSecond() {
    return answers * 1e6 / micros;
  }

  public double p50Millis() {
    return p50Micros / 1e3;
  }

  public double p99Millis() {
    return p99Micros / 1e3;
  }
}
