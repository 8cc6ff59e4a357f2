package gatebook.api.upstream.agent.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gatebook.api.upstream.agent.client.AgentFailure.HttpError;
import gatebook.api.upstream.agent.client.AgentFailure.Timeout;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryScheduleTest {

  private static final AgentFailure TIMEOUT = new Timeout(1);

  @ParameterizedTest
  @CsvSource({"0, '[80, 160, 320]'", "0.5, '[100, 200, 400]'", "1, '[120, 240, 480]'"})
  void pausesDoubleAndDifferByAFifth(double random, String pauses) {
    List<Long> all =
        IntStream.rangeClosed(1, 3)
            .mapToLong(attempt ->
                RetrySchedule.DEFAULT.pauseMillis(TIMEOUT, attempt, random).orElseThrow())
            .boxed()
            .toList();

    assertThat(all).hasToString(pauses);
  }

  @Test
  void theFourthAttemptIsTheLast() {
    assertThat(RetrySchedule.DEFAULT.pauseMillis(TIMEOUT, 3, 0.5)).isPresent();
    assertThat(RetrySchedule.DEFAULT.pauseMillis(TIMEOUT, 4, 0.5)).isEmpty();
  }

  @Test
  void aScheduleMayDiffer() {
    RetrySchedule schedule = new RetrySchedule(10, 3, 0, 5, 2_000);

    assertThat(schedule.pauseMillis(TIMEOUT, 5, 0.9)).hasValue(810);
    assertThat(schedule.pauseMillis(TIMEOUT, 6, 0.9)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "429, 0, 100",
    "429, 1, 1000",
    "429, 2, 2000",
    "429, 3, ",
    "429, , ",
    "503, 2, 2000",
    "503, 3, ",
    "503, , 100",
    "502, , 100",
    "504, , 100"
  })
  void aShortRetryAfterIsKept(int status, @Nullable Long retryAfter, @Nullable Long pause) {
    assertThat(RetrySchedule.DEFAULT.pauseMillis(new HttpError(status, retryAfter), 1, 0.5))
        .isEqualTo(pause == null ? OptionalLong.empty() : OptionalLong.of(pause));
  }

  @ParameterizedTest
  @CsvSource({
    "-1, 2, 0.2, 3",
    "100, 0.5, 0.2, 3",
    "100, 2, -0.1, 3",
    "100, 2, 1.1, 3",
    "1, 2, 0, -1"
  })
  void aScheduleHasNoNegativePauses(long first, double factor, double jitter, int retries) {
    assertThatThrownBy(() -> new RetrySchedule(first, factor, jitter, retries, 2_000))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
