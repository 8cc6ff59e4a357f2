package gatebook.api.upstream.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gatebook.api.upstream.RetrySchedule;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pauses between the attempts of one request. */
final class RetryScheduleTest {

  @Test
  void pausesAreLongerEachTimeUpToTheLongest() {
    RetrySchedule schedule =
        RetrySchedule.doubling(Duration.ofMillis(1_500), Duration.ofSeconds(60), 8);

    assertThat(List.of(1, 2, 6, 7, 100).stream().map(schedule::pauseAfter))
        .containsExactly(
            Duration.ofMillis(1_500),
            Duration.ofSeconds(3),
            Duration.ofSeconds(48),
            Duration.ofSeconds(60),
            Duration.ofSeconds(60));
  }

  @Test
  void factorMayDiffer() {
    RetrySchedule schedule =
        new RetrySchedule(Duration.ofMillis(10), 3, Duration.ofMillis(5_000), 5);

    assertThat(schedule.pauseAfter(5)).hasMillis(810);
  }

  @Test
  void attemptAfterTheLastRetryIsTheLast() {
    RetrySchedule schedule = RetrySchedule.doubling(Duration.ZERO, Duration.ZERO, 3);

    assertThat(schedule.isLast(3)).isFalse();
    assertThat(schedule.isLast(4)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"-1, 2, 1, 3", "1, 0.5, 1, 3", "1, 2, -1, 3", "1, 2, 1, -1"})
  void scheduleHasNoNegativePauses(long first, double factor, long longest, int retries) {
    assertThatThrownBy(() ->
            new RetrySchedule(
                Duration.ofMillis(first), factor, Duration.ofMillis(longest), retries))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
