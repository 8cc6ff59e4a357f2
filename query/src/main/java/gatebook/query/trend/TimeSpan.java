package gatebook.query.trend;

import gatebook.query.projection.EpochNanos;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * A time span, in nanoseconds since the epoch, and its equal parts.
 *
 * @param from is included
 * @param to is not
 */
public record TimeSpan(long from, long to) {
  /** The number of parts of a span. */
  public static final int PARTS = 24;

  /** All times. */
  public static final TimeSpan ALL = new TimeSpan(Long.MIN_VALUE, Long.MAX_VALUE);

  /** The span between two times, each of which may be missing, as nothing limits the span then. */
  public static TimeSpan of(Optional<Instant> since, Optional<Instant> until) {
    return new TimeSpan(
        since.map(EpochNanos::of).orElse(Long.MIN_VALUE),
        until.map(EpochNanos::of).orElse(Long.MAX_VALUE));
  }

  /** The time that is also in another span. */
  public TimeSpan within(TimeSpan other) {
    return new TimeSpan(Math.max(from, other.from), Math.min(to, other.to));
  }

  /** Whether a time is in the span. */
  public boolean contains(long at) {
    return at >= from && at < to;
  }

  /** The parts. */
  public List<TimeSpan> parts() {
    return IntStream.range(0, PARTS)
        .mapToObj(part ->
            new TimeSpan(
                from + part * partNanos(),
                part == PARTS - 1 ? to : Math.min(from + (part + 1) * partNanos(), to)))
        .toList();
  }

  /** The length of a part, rounded up so that the last part is inside the span. */
  public long partNanos() {
    return Math.max(1, Math.ceilDiv(to - from, (long) PARTS));
  }

  public double partSeconds() {
    return (double) partNanos() / TimeUnit.SECONDS.toNanos(1);
  }

  /** The parts that lie completely within another span. */
  public Trend.Recorded recordedParts(TimeSpan other) {
    long first = Math.ceilDiv(Math.clamp(other.from, from, to) - from, partNanos());
    long last = to <= other.to ? PARTS : (Math.clamp(other.to, from, to) - from) / partNanos();
    return new Trend.Recorded((int) first, (int) last, partNanos());
  }

  /**
   * Two neighbouring spans of the same length, both made of whole parts.
   *
   * @param nanos the length of both together
   */
  public record Halves(TimeSpan earlier, TimeSpan later, long nanos) {}

  /** The halves that a trend compares, of the parts that lie completely within another span. */
  public Halves halves(TimeSpan recorded) {
    Trend.Recorded parts = recordedParts(recorded);
    long half = parts.half() * partNanos();
    long end = from + parts.to() * partNanos();
    return new Halves(
        new TimeSpan(end - 2 * half, end - half), new TimeSpan(end - half, end), 2 * half);
  }
}
