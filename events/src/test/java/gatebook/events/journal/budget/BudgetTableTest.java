package gatebook.events.journal.budget;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.journal.Journals;
import gatebook.events.journal.budget.BudgetTable.Budget;
import gatebook.events.journal.budget.BudgetTable.Leased;
import gatebook.events.journal.postgres.SharedLocation;
import java.io.IOException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class BudgetTableTest {
  private static final LocalDate DAY = LocalDate.of(2026, 1, 31);
  private static final Budget ADAS = new Budget(DAY, "ci", "ada");

  private final SharedLocation database = Journals.freshSchema();
  @AutoClose private final BudgetTable one = new BudgetTable(database);
  @AutoClose private final BudgetTable other = new BudgetTable(database);

  @Test
  void leasesBecomeSmallAndAddUpToTheBudget() throws IOException {
    List<Long> leases = new ArrayList<>();
    for (long lease = one.lease(ADAS, 100); lease > 0; lease = other.lease(ADAS, 100)) {
      leases.add(lease);
    }

    assertThat(leases).startsWith(5L, 5L, 5L, 5L, 4L).endsWith(1L, 1L);
    assertThat(leases.stream().mapToLong(it -> it).sum()).isEqualTo(100);
    assertThat(one.lease(ADAS, 100)).isZero();
    assertThat(one.lease(ADAS, 99)).isZero();
    assertThat(one.lease(ADAS, 101)).isOne();
  }

  @Test
  void returnedCallsCanBeLeasedByAnotherNode() throws IOException {
    assertThat(one.lease(ADAS, 1)).isOne();
    assertThat(other.lease(ADAS, 1)).isZero();

    one.giveBack(ADAS, 1);

    assertThat(other.lease(ADAS, 1)).isOne();
  }

  @Test
  void everyDayQuotaAndPrincipalHasItsBudget() throws IOException {
    Budget ofAll = Budget.ofAll(DAY, "ci");
    Budget tomorrows = new Budget(DAY.plusDays(1), "ci", "ada");
    one.lease(ADAS, 1);

    assertThat(one.lease(ofAll, 1)).isOne();
    assertThat(one.lease(new Budget(DAY, "other", "ada"), 1)).isOne();
    assertThat(one.lease(tomorrows, 1)).isOne();
    assertThat(other.leased(DAY))
        .containsExactlyInAnyOrder(
            new Leased(ADAS, 1),
            new Leased(ofAll, 1),
            new Leased(new Budget(DAY, "other", "ada"), 1));

    other.removeBefore(DAY.plusDays(1));

    assertThat(one.leased(DAY)).isEmpty();
    assertThat(one.leased(DAY.plusDays(1))).containsExactly(new Leased(tomorrows, 1));
  }
}
