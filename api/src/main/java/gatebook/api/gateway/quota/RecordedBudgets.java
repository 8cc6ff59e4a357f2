package gatebook.api.gateway.quota;

import gatebook.command.rules.CallQuota;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Daily budgets of one process, counted in memory. The journal is read once for what the day has
 * already, when the first call is counted or before.
 */
public final class RecordedBudgets implements DailyBudgets {

  private final RecordedCounts recordedCounts;
  private final InstantSource clock;

  /** Each quota counts the calls of each principal, and of all. */
  private final NavigableMap<LocalDate, Map<QuotaKey, Long>> counts = new TreeMap<>();

  private volatile boolean isRead;

  public RecordedBudgets(RecordedCounts recordedCounts, InstantSource clock) {
    this.recordedCounts = recordedCounts;
    this.clock = clock;
  }

  @Override
  public boolean mayWait() {
    return !isRead;
  }

  @Override
  public synchronized void prepare() {
    if (!isRead) {
      LocalDate today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
      recordedCounts
          .since(today)
          .forEach((day, recorded) ->
              recorded.forEach((key, calls) ->
                  add(day, key.quota(), Objects.requireNonNull(key.principal()), calls)));
      isRead = true;
    }
  }

  @Override
  public synchronized boolean take(CallQuota quota, String principal, LocalDate day) {
    prepare();
    if (counted(day, QuotaKey.of(quota, principal)) >= budget(quota)) {
      return false;
    }
    add(day, quota.name(), principal, 1);
    return true;
  }

  static long budget(CallQuota quota) {
    return Objects.requireNonNull(quota.callsPerDay(), "a quota with a budget");
  }

  @Override
  public synchronized void giveBack(CallQuota quota, String principal, LocalDate day) {
    add(day, quota.name(), principal, -1);
  }

  @Override
  public synchronized Map<QuotaKey, Long> used(LocalDate day) {
    prepare();
    return Map.copyOf(counts.getOrDefault(day, Map.of()));
  }

  private long counted(LocalDate day, QuotaKey key) {
    return counts.getOrDefault(day, Map.of()).getOrDefault(key, 0L);
  }

  /** Calls of the day before may still come after midnight; those of earlier days do not. */
  private void add(LocalDate day, String quota, String principal, long calls) {
    Map<QuotaKey, Long> ofDay = counts.computeIfAbsent(day, _ -> new HashMap<>());
    ofDay.merge(new QuotaKey(quota, principal), calls, Long::sum);
    ofDay.merge(new QuotaKey(quota, null), calls, Long::sum);
    counts.headMap(counts.lastKey().minusDays(1)).clear();
  }

  @Override
  public void close() {
    // the journal has everything
  }
}
