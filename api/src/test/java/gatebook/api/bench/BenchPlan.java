package gatebook.api.bench;

/**
 * The plan of the benchmark: how much is measured.
 *
 * @param rounds the number of rounds; their median counts
 * @param warmUpSeconds load before the rounds, until the compiler is done
 */
record BenchPlan(int rounds, int roundSeconds, int warmUpSeconds, int starts) {
  static final int WARM_UP_CONNECTIONS = 64;

  static BenchPlan fromProperties() {
    return Boolean.getBoolean("bench.quick")
        ? new BenchPlan(1, 1, 1, 2)
        : new BenchPlan(3, 5, 60, 5);
  }
}
