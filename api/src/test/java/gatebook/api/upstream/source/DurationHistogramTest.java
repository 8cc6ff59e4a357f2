package gatebook.api.upstream.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.LongStream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

final class DurationHistogramTest {
  private final DurationHistogram histogram = new DurationHistogram();

  @Test
  void noDurationsHaveNoPercentile() {
    assertThat(histogram.percentile(0.5)).isEmpty();
  }

  @Test
  void shortDurationsAreExact() {
    LongStream.rangeClosed(1, 30).forEach(micros -> histogram.add(micros * 1_000));

    assertThat(histogram.percentile(0)).contains(Duration.ofNanos(1_000));
    assertThat(histogram.percentile(0.5)).contains(Duration.ofNanos(15_000));
    assertThat(histogram.percentile(1)).contains(Duration.ofNanos(30_000));
  }

  @Test
  void percentilesAreAtMostASixteenthOff() {
    LongStream.rangeClosed(1, 10_000).forEach(millis -> histogram.add(millis * 1_000_000));

    for (int percent : new int[] {1, 10, 50, 90, 99, 100}) {
      assertThat(histogram.percentile(percent / 100.0).orElseThrow().toMillis())
          .isCloseTo(percent * 100L, Percentage.withPercentage(6.25));
    }
  }

  @Test
  void everyDurationIsCounted() {
    histogram.add(-1);
    assertThat(histogram.percentile(1)).contains(Duration.ZERO);

    histogram.add(Long.MAX_VALUE);
    assertThat(histogram.percentile(1).orElseThrow().toSeconds())
        .isCloseTo(Duration.ofDays(1).toSeconds(), Percentage.withPercentage(6.25));
  }
}
