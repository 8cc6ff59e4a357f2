package gatebook.api.operator;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.gateway.LimitsFixture;
import gatebook.api.gateway.SettableClock;
import gatebook.command.rules.GatewayLimits;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class SignInThrottleTest {
  private static final GatewayLimits LIMITS =
      LimitsFixture.by(Map.of("consoleRefusalsPerMinuteMax", 2));

  private final SettableClock clock = new SettableClock();
  private final SignInThrottle throttle = new SignInThrottle(() -> LIMITS, clock);

  @Test
  void attemptsAboveTheLimitAreCounted() {
    assertThat(throttle.take()).isTrue();
    assertThat(throttle.take()).isTrue();
    assertThat(throttle.take()).isFalse();
    assertThat(throttle.take()).isFalse();

    assertThat(throttle.drainUntried()).isEqualTo(2);
    assertThat(throttle.drainUntried()).isZero();
  }

  @Test
  void theNextMinuteHasItsOwnAttempts() {
    assertThat(throttle.take()).isTrue();
    assertThat(throttle.take()).isTrue();
    clock.pass(Duration.ofSeconds(59));
    assertThat(throttle.take()).isFalse();
    assertThat(throttle.retryAfter()).isEqualTo(Duration.ofSeconds(1));

    clock.pass(Duration.ofSeconds(1));

    assertThat(throttle.take()).isTrue();
  }

  @Test
  void successfulAttemptsAreNotCounted() {
    for (int i = 0; i < 10; i++) {
      assertThat(throttle.take()).isTrue();
      throttle.succeed();
    }
    throttle.succeed();

    assertThat(throttle.take()).isTrue();
    assertThat(throttle.take()).isTrue();
    assertThat(throttle.take()).isFalse();
  }

  @Test
  void aCountThatWasNotRecordedIsRestored() {
    throttle.restoreUntried(3);

    assertThat(throttle.drainUntried()).isEqualTo(3);
  }
}
