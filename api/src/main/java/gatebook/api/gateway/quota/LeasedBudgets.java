package gatebook.api.gateway.quota;

import gatebook.command.rules.CallQuota;
import gatebook.events.journal.budget.BudgetTable;
import gatebook.events.journal.budget.BudgetTable.Budget;
import gatebook.events.journal.storage.JournalUnreadable;
import gatebook.events.journal.storage.StorageFailure;
import java.io.IOException;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Daily budgets that several nodes share: each leases calls from a table before it takes them, so
 * that all together never take more than a budget. Most calls are taken from a lease, without the
 * database.
 */
public final class LeasedBudgets implements DailyBudgets {
  private static final Logger LOG = LoggerFactory.getLogger(LeasedBudgets.class);

  /** How long a budget counts as used up until the table is asked again: a node may return some. */
  private static final long USED_UP_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How many days before the newest one the table keeps: clocks of nodes may differ. */
  private static final int DAYS_KEPT = 7;

  private final BudgetTable table;
  private final LongSupplier nanos;
  private final ConcurrentMap<Budget, Lease> leases = new ConcurrentHashMap<>();
  private volatile LocalDate newestDay = LocalDate.MIN;

  /** What is leased of one budget. */
  private static final class Lease {
    private long unused;
    private boolean isUsedUp;
    private long usedUpAt;
  }

  /**
   * @param nanos measures how long a budget counts as used up
   */
  public LeasedBudgets(BudgetTable table, LongSupplier nanos) {
    this.table = table;
    this.nanos = nanos;
  }

  @Override
  public boolean mayWait() {
    return true;
  }

  @Override
  public void prepare() {
    // the first call leases
  }

  @Override
  public boolean take(CallQuota quota, String principal, LocalDate day) {
    removeOldDays(day);
    Budget budget = budget(quota, principal, day);
    Lease lease = leases.computeIfAbsent(budget, _ -> new Lease());
    synchronized (lease) {
      if (lease.unused == 0 && !isUsedUp(lease)) {
        lease.unused = leased(budget, RecordedBudgets.budget(quota));
        lease.isUsedUp = lease.unused == 0;
        lease.usedUpAt = nanos.getAsLong();
      }
      if (lease.unused == 0) {
        return false;
      }
      lease.unused--;
      return true;
    }
  }

  private boolean isUsedUp(Lease lease) {
    return lease.isUsedUp && nanos.getAsLong() - lease.usedUpAt < USED_UP_NANOS;
  }

  private long leased(Budget budget, long max) {
    try {
      return table.lease(budget, max);
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  private static JournalUnreadable unreadable(IOException cause) {
    return new JournalUnreadable(
        new StorageFailure("the table of daily budgets cannot be used now", cause));
  }

  @Override
  public void giveBack(CallQuota quota, String principal, LocalDate day) {
    Lease lease = leases.get(budget(quota, principal, day));
    if (lease != null) {
      synchronized (lease) {
        lease.unused++;
      }
    }
  }

  private static Budget budget(CallQuota quota, String principal, LocalDate day) {
    return quota.isShared()
        ? Budget.ofAll(day, quota.name())
        : new Budget(day, quota.name(), principal);
  }

  /** Calls of the day before may still come after midnight; those of earlier days do not. */
  private void removeOldDays(LocalDate day) {
    if (day.isAfter(newestDay)) {
      newestDay = day;
      leases.keySet().removeIf(budget -> budget.day().isBefore(day.minusDays(1)));
      try {
        table.removeBefore(day.minusDays(DAYS_KEPT));
      } catch (IOException e) {
        throw unreadable(e);
      }
    }
  }

  /** What other nodes leased and did not use counts as used. */
  @Override
  public Map<QuotaKey, Long> used(LocalDate day) {
    Map<QuotaKey, Long> used = new HashMap<>();
    try {
      table
          .leased(day)
          .forEach(
              leased -> used.put(key(leased.budget()), leased.calls() - unused(leased.budget())));
    } catch (IOException e) {
      throw unreadable(e);
    }
    return used;
  }

  private static QuotaKey key(Budget budget) {
    return new QuotaKey(budget.quota(), budget.isOfAll() ? null : budget.principal());
  }

  private long unused(Budget budget) {
    Lease lease = leases.get(budget);
    if (lease == null) {
      return 0;
    }
    synchronized (lease) {
      return lease.unused;
    }
  }

  /** Returns what is left of the leases to the other nodes. */
  @Override
  public void close() {
    leases.forEach(this::giveBackUnused);
    table.close();
  }

  private void giveBackUnused(Budget budget, Lease lease) {
    synchronized (lease) {
      try {
        if (lease.unused > 0) {
          table.giveBack(budget, lease.unused);
          lease.unused = 0;
        }
      } catch (IOException e) {
        LOG.atWarn()
            .setCause(e)
            .addKeyValue("quota", budget.quota())
            .log("calls of a daily budget cannot be returned: they are lost for the day");
      }
    }
  }
}
