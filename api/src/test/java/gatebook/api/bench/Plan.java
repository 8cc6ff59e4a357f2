package gatebook.api.bench;

/**
 * How much is measured.
 *
 * @param rounds of which the median counts
 * @param warmUpSeconds the first seconds of a process are its compiler's
 */
record Plan(int rounds, int roundSeconds, int warmUpSeconds, int starts) {
  static final int[] CONNECTIONS = {1, 16, 64, 256};
  static final int WARM_UP_CONNECTIONS = 64;

  static Plan chosen() {
    return Boolean.getBoolean("bench.quick") ? new Plan(1, 1, 1, 2) : new Plan(3, 5, 60, 5);
  }
}
