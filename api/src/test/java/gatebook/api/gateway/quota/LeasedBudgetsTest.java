package gatebook.api.gateway.quota;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gatebook.command.rules.CallQuota;
import gatebook.events.Proof;
import gatebook.events.journal.Journals;
import gatebook.events.journal.budget.BudgetTable;
import gatebook.events.journal.postgres.SharedLocation;
import gatebook.events.journal.storage.JournalUnreadable;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

final class LeasedBudgetsTest {
  private static final LocalDate DAY = LocalDate.of(2026, 1, 31);
  private static final int THREADS = 4;

  private final SharedLocation database = Journals.freshSchema();
  private final AtomicLong nanos = new AtomicLong();
  @AutoClose private final LeasedBudgets one = budgets();
  @AutoClose private final LeasedBudgets other = budgets();

  private LeasedBudgets budgets() {
    return new LeasedBudgets(new BudgetTable(database), nanos::get);
  }

  @Test
  void nodesTogetherTakeExactlyTheBudget() throws Exception {
    int max = Proof.rounds(500, 20_000);
    CallQuota quota = quota(true, max);
    Callable<Integer> taker = () -> taken(one, quota) + taken(other, quota);
    int taken = 0;
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      for (Future<Integer> future :
          threads.invokeAll(Stream.generate(() -> taker).limit(THREADS).toList())) {
        taken += future.get();
      }
    }
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
    taken += taken(one, quota) + taken(other, quota);

    assertThat(taken).isEqualTo(max);
    assertThat(one.used(DAY)).isEqualTo(Map.of(new QuotaKey("ci", null), (long) max));
  }

  private static int taken(LeasedBudgets budgets, CallQuota quota) {
    return (int)
        IntStream.iterate(0, i -> i + 1)
            .takeWhile(i -> budgets.take(quota, "caller-" + i % 3, DAY))
            .count();
  }

  @Test
  void aNodeThatDiesLosesNoMoreThanItsLease() {
    CallQuota quota = quota(false, 100);
    assertThat(one.take(quota, "ada", DAY)).isTrue();

    // the lease was of five calls, and four of them are never returned
    assertThat(taken(other, quota, "ada")).isEqualTo(95);
    assertThat(other.used(DAY)).isEqualTo(Map.of(new QuotaKey("ci", "ada"), 100L));
  }

  @Test
  void aNodeThatClosesReturnsItsLease() {
    CallQuota quota = quota(false, 100);
    LeasedBudgets closed = budgets();
    assertThat(closed.take(quota, "ada", DAY)).isTrue();
    closed.close();

    assertThat(taken(one, quota, "ada")).isEqualTo(99);
  }

  @Test
  void aCallThatIsGivenBackCanBeTakenAgain() {
    CallQuota quota = quota(false, 1);
    assertThat(one.take(quota, "ada", DAY)).isTrue();
    assertThat(one.take(quota, "ada", DAY)).isFalse();

    one.giveBack(quota, "ada", DAY);

    assertThat(one.take(quota, "ada", DAY)).isTrue();
    assertThat(one.take(quota, "ada", DAY)).isFalse();
  }

  @Test
  void aUsedUpBudgetIsLeasedAgainLater() {
    CallQuota quota = quota(false, 1);
    assertThat(one.take(quota, "ada", DAY)).isTrue();
    assertThat(other.take(quota, "ada", DAY)).isFalse();
    one.giveBack(quota, "ada", DAY);
    one.close();

    nanos.addAndGet(TimeUnit.SECONDS.toNanos(1) - 1);
    assertThat(other.take(quota, "ada", DAY)).isFalse();
    nanos.addAndGet(1);
    assertThat(other.take(quota, "ada", DAY)).isTrue();
  }

  @Test
  void theNextDayHasItsBudget() {
    CallQuota quota = quota(false, 1);
    assertThat(one.take(quota, "ada", DAY)).isTrue();

    assertThat(one.take(quota, "ada", DAY.plusDays(1))).isTrue();
    assertThat(one.take(quota, "ada", DAY)).isFalse();
    assertThat(one.take(quota, "ada", DAY.plusDays(8))).isTrue();
    assertThat(one.used(DAY)).isEmpty();
    assertThat(one.used(DAY.plusDays(1))).hasSize(1);
    assertThat(one.used(DAY.plusDays(8))).hasSize(1);
  }

  @Test
  void withoutItsDatabaseNothingIsTaken() {
    try (LeasedBudgets unreachable =
        new LeasedBudgets(
            new BudgetTable(new SharedLocation("jdbc:postgresql://127.0.0.1:1/x", "u", "p")),
            nanos::get)) {
      assertThatThrownBy(() -> unreachable.take(quota(false, 1), "ada", DAY))
          .isInstanceOf(JournalUnreadable.class);
    }
  }

  private static int taken(LeasedBudgets budgets, CallQuota quota, String principal) {
    return (int)
        Stream.generate(() -> budgets.take(quota, principal, DAY)).takeWhile(it -> it).count();
  }

  private static CallQuota quota(boolean isShared, long callsPerDay) {
    return new CallQuota(
        "ci", List.of(), Set.of(), List.of(), Set.of(), isShared, null, null, callsPerDay);
  }
}
