package gatebook.api.gateway.quota;

import gatebook.command.rules.CallQuota;
import java.time.LocalDate;
import java.util.Map;

/**
 * The calls of a day that quotas with a daily budget counted. Days are days in UTC. A count is kept
 * under the name of its quota, also when its budget changes.
 */
public interface DailyBudgets extends AutoCloseable {

  /** Whether taking may wait for the disk or a database now. */
  boolean mayWait();

  /** Prepares for taking, so that calls wait less; may block. */
  void prepare();

  /** Takes one call of a principal; returns false when the budget of the day is used up. */
  boolean take(CallQuota quota, String principal, LocalDate day);

  /** Gives back one call, which is not recorded. */
  void giveBack(CallQuota quota, String principal, LocalDate day);

  /** The calls that were counted in a day, also apart and together for each quota; may block. */
  Map<QuotaKey, Long> used(LocalDate day);

  @Override
  void close();
}
