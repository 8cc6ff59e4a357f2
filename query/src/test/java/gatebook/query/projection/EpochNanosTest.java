package gatebook.query.projection;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class EpochNanosTest {
  @ParameterizedTest
  @ValueSource(strings = {"2026-11-21T16:42:00.123456789Z", "1969-12-31T23:59:59.000000001Z"})
  void timeStaysTheSame(String at) {
    assertThat(EpochNanos.toInstant(EpochNanos.of(at))).isEqualTo(Instant.parse(at));
  }

  @Test
  void timesOutsideTheRangeAreClamped() {
    assertThat(EpochNanos.of("9999-12-31T23:59:59.000000000Z")).isEqualTo(Long.MAX_VALUE);
    assertThat(EpochNanos.of("0001-01-01T00:00:00.000000000Z")).isEqualTo(Long.MIN_VALUE);
  }
}
