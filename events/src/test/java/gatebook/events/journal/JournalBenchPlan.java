package gatebook.events.journal;

import gatebook.events.bench.Bench;

/**
 * The plan: how much is measured.
 *
 * @param rounds of which the median counts
 * @param warmUpMillis for the JIT compiler in the first seconds of a process
 * @param onlyPostgres whether only appends to PostgreSQL are measured
 */
record JournalBenchPlan(
    int rounds,
    long roundMillis,
    long warmUpMillis,
    int events,
    int fewEvents,
    boolean onlyPostgres) {
  static JournalBenchPlan chosen() {
    boolean onlyPostgres = Boolean.getBoolean("bench.postgres");
    return Bench.QUICK
        ? new JournalBenchPlan(1, 250, 500, 20_000, 2_000, onlyPostgres)
        : new JournalBenchPlan(3, 4_000, 8_000, 1_000_000, 10_000, onlyPostgres);
  }
}
