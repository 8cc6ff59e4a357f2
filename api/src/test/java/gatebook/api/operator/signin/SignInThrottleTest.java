package gatebook.api.operator.signin;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.gateway.SettableClock;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class SignInThrottleTest {
  private static final GatewayLimits LIMITS =
      GatewayLimits.DEFAULT.with(Limit.CONSOLE_REFUSALS_PER_MINUTE_MAX, 2);

  private final SettableClock clock = new SettableClock();
  private final SignInThrottle throttle = new SignInThrottle(() -> LIMITS, clock);

  @Test
  void refusalsAboveTheLimitAreCounted() {
    assertThat(throttle.take()).isTrue();
    assertThat(throttle.take()).isTrue();
    assertThat(throttle.take()).isFalse();
    assertThat(throttle.take()).isFalse();

    assertThat(throttle.drainUnrecorded()).isEqualTo(2);
    assertThat(throttle.drainUnrecorded()).isZero();
  }

  @Test
  void theNextMinuteHasItsOwnRecords() {
    assertThat(throttle.take()).isTrue();
    assertThat(throttle.take()).isTrue();
    clock.pass(Duration.ofSeconds(59));
    assertThat(throttle.take()).isFalse();

    clock.pass(Duration.ofSeconds(1));

    assertThat(throttle.take()).isTrue();
  }

  @Test
  void aCountThatWasNotRecordedIsRestored() {
    throttle.restoreUnrecorded(3);

    assertThat(throttle.drainUnrecorded()).isEqualTo(3);
  }
}
