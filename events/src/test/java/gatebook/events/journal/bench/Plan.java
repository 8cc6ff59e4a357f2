package gatebook.events.journal.bench;

/**
 * The plan: how much is measured.
 *
 * @param rounds of which the median counts
 * @param warmUpMillis for the JIT compiler in the first seconds of a process
 * @param onlyPostgres whether only appends to PostgreSQL are measured
 */
record Plan(
    int rounds,
    long roundMillis,
    long warmUpMillis,
    int events,
    int fewEvents,
    boolean onlyPostgres) {
  static final int[] CALLERS = {1, 16, 64, 256};

  static Plan chosen() {
    boolean onlyPostgres = Boolean.getBoolean("bench.postgres");
    return Boolean.getBoolean("bench.quick")
        ? new Plan(1, 250, 500, 20_000, 2_000, onlyPostgres)
        : new Plan(3, 4_000, 8_000, 1_000_000, 10_000, onlyPostgres);
  }
}
