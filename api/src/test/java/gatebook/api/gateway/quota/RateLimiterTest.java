package gatebook.api.gateway.quota;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.rules.CallQuota.Rate;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RateLimiterTest {

  private static final Rate LIMITS = new Rate(10, 5);
  private static final OptionalLong WITHIN = OptionalLong.empty();

  private final AtomicLong nanos = new AtomicLong();
  private final RateLimiter rateLimiter = new RateLimiter(nanos::get);

  @ParameterizedTest
  @ValueSource(
      longs = {0, -1, Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE - 50_000_000, -50_000_000})
  void burstIsAllowedThenOneCallPerInterval(long startNanos) {
    nanos.set(startNanos);

    assertThat(allowedAtOnce("ada", LIMITS)).isEqualTo(5);
    nanos.addAndGet(MILLISECONDS.toNanos(100) - 1);
    assertThat(allowedAtOnce("ada", LIMITS)).isZero();
    nanos.addAndGet(1);
    assertThat(allowedAtOnce("ada", LIMITS)).isEqualTo(1);
    nanos.addAndGet(MILLISECONDS.toNanos(200));
    assertThat(allowedAtOnce("ada", LIMITS)).isEqualTo(2);
  }

  @Test
  void callsAtTheRateAreNeverRefused() {
    for (int i = 0; i < 1_000; i++) {
      assertThat(rateLimiter.acquire("ada", new Rate(10, 1))).isEqualTo(WITHIN);
      nanos.addAndGet(MILLISECONDS.toNanos(100));
    }
  }

  @Test
  void longSilenceAllowsNoMoreThanTheBurst() {
    allowedAtOnce("ada", LIMITS);
    nanos.addAndGet(SECONDS.toNanos(1_000_000));

    assertThat(allowedAtOnce("ada", LIMITS)).isEqualTo(5);
  }

  @Test
  void refusedCallsDoNotCount() {
    allowedAtOnce("ada", LIMITS);
    IntStream.range(0, 1_000).forEach(_ -> rateLimiter.acquire("ada", LIMITS));
    nanos.addAndGet(MILLISECONDS.toNanos(100));

    assertThat(rateLimiter.acquire("ada", LIMITS)).isEqualTo(WITHIN);
  }

  @Test
  void aCallThatIsGivenBackLeavesRoomForAnother() {
    allowedAtOnce("ada", LIMITS);

    rateLimiter.giveBack("ada", LIMITS);

    assertThat(allowedAtOnce("ada", LIMITS)).isEqualTo(1);
  }

  @Test
  void principalsThatUseUpNothingAreForgotten() {
    IntStream.range(0, 1_024).forEach(i -> rateLimiter.acquire("idle" + i, LIMITS));
    nanos.addAndGet(SECONDS.toNanos(10));

    long busy = allowedAtOnce("ada", LIMITS);

    assertThat(busy).isEqualTo(5);
    assertThat(rateLimiter.size()).isOne();
    assertThat(rateLimiter.acquire("ada", LIMITS)).isNotEqualTo(WITHIN);
  }

  @Test
  void principalsAreLimitedSeparately() {
    allowedAtOnce("ada", LIMITS);

    assertThat(allowedAtOnce("eve", LIMITS)).isEqualTo(5);
    assertThat(allowedAtOnce("ada", LIMITS)).isZero();
  }

  @Test
  void changedLimitsApplyToTheNextCall() {
    assertThat(allowedAtOnce("ada", new Rate(1, 10))).isEqualTo(10);

    assertThat(rateLimiter.acquire("ada", new Rate(1, 1))).isEqualTo(OptionalLong.of(10));
    assertThat(allowedAtOnce("ada", new Rate(1, 12))).isEqualTo(2);
  }

  @Test
  void waitIsRoundedUpToWholeSeconds() {
    allowedAtOnce("ada", new Rate(1, 3));

    assertThat(rateLimiter.acquire("ada", new Rate(1, 3))).isEqualTo(OptionalLong.of(1));
    nanos.addAndGet(SECONDS.toNanos(1));
    assertThat(rateLimiter.acquire("ada", new Rate(1, 3))).isEqualTo(WITHIN);
  }

  @Test
  void concurrentCallsAreLimitedToTheBurst() throws Exception {
    Rate rate = new Rate(1, 1_000);
    try (ExecutorService callers = Executors.newFixedThreadPool(8)) {
      List<Callable<Long>> all =
          IntStream.range(0, 8)
              .<Callable<Long>>mapToObj(_ ->
                  () ->
                      IntStream.range(0, 500)
                          .filter(_ -> rateLimiter.acquire("ada", rate).isEmpty())
                          .count())
              .toList();
      long allowed = 0;
      for (Future<Long> one : callers.invokeAll(all)) {
        allowed += one.get();
      }

      assertThat(allowed).isEqualTo(1_000);
    }
  }

  private long allowedAtOnce(String principal, Rate rate) {
    return IntStream.range(0, 100)
        .takeWhile(_ -> rateLimiter.acquire(principal, rate).isEmpty())
        .count();
  }
}
