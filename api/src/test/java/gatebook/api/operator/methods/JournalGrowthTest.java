package gatebook.api.operator.methods;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class JournalGrowthTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

  @Test
  void growthIsUnknownWithinTheFirstHour() {
    assertThat(growth(100)).isEmpty();
    assertThat(growth(100, Duration.ofMinutes(59))).isEmpty();
    assertThat(growth(100, Duration.ofMinutes(60))).contains(2_400L);
  }

  @Test
  void aYoungJournalGrowsAsItDidSoFar() {
    assertThat(growth(100, Duration.ofHours(6), Duration.ofHours(1))).contains(400L);
  }

  @Test
  void anOldJournalGrowsAsInItsNewestDay() {
    Duration longAgo = Duration.ofDays(9);

    assertThat(growth(80, longAgo, longAgo, Duration.ofHours(25), Duration.ofHours(24)))
        .contains(20L);
    assertThat(growth(80, longAgo, longAgo, Duration.ofHours(25), Duration.ofDays(2))).contains(0L);
  }

  @Test
  void aLongJournalIsReadAtFewPositions() {
    AtomicInteger reads = new AtomicInteger();
    long head = 1_000_000_000;

    Optional<Long> bytesPerDay =
        JournalGrowth.bytesPerDay(
            2 * head,
            head,
            position -> {
              reads.incrementAndGet();
              return NOW.minusSeconds(head - position);
            },
            NOW);

    assertThat(bytesPerDay).contains(2 * 86_401L);
    assertThat(reads.get()).isLessThanOrEqualTo(31);
  }

  /** The growth of a journal whose events have these ages. */
  private static Optional<Long> growth(long bytes, Duration... ages) {
    List<Duration> all = List.of(ages);
    return JournalGrowth.bytesPerDay(
        bytes, all.size(), position -> NOW.minus(all.get((int) position - 1)), NOW);
  }
}
