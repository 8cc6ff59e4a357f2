package gatebook.events.bench;

import java.util.Arrays;

/** The times that some work took. */
public final class Times {
  private final long[] sortedNanos;

  private Times(long[] sortedNanos) {
    this.sortedNanos = sortedNanos;
  }

  /** Times in any order, which are sorted in place. */
  public static Times of(long... nanos) {
    if (nanos.length == 0) {
      throw new IllegalStateException("nothing was measured");
    }
    Arrays.sort(nanos);
    return new Times(nanos);
  }

  /** Does work again and again, one at a time; the first ones warm up and do not count. */
  public static Times measure(int warmUps, int times, Bench.Work work) throws Exception {
    long[] nanos = new long[times];
    for (int i = -warmUps; i < times; i++) {
      long begun = System.nanoTime();
      work.run();
      if (i >= 0) {
        nanos[i] = System.nanoTime() - begun;
      }
    }
    return of(nanos);
  }

  public int count() {
    return sortedNanos.length;
  }

  public double millis(double share) {
    return micros(share) / 1e3;
  }

  /** The time that this share of all does not exceed. */
  public double micros(double share) {
    int rank = (int) (share * sortedNanos.length);
    return sortedNanos[Math.min(rank, sortedNanos.length - 1)] / 1e3;
  }
}
