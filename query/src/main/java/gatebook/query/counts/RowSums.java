package gatebook.query.counts;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Sums of rows: one for all rows with a key in one of the shortest intervals. */
final class RowSums {
  private final Map<Group, RowSum> sums = new HashMap<>();
  private @Nullable RowSum last;

  private record Group(long number, @Nullable Long key) {}

  /** Adds a row; the key is absent for one that is in no tally. */
  void add(long at, @Nullable Long key, long times, long place) {
    long number = CountInterval.CENTISECOND.number(at);
    RowSum sum = last;
    if (sum == null || !sum.isOf(number, key)) {
      sum = sums.computeIfAbsent(new Group(number, key), _ -> new RowSum(number, key));
      last = sum;
    }
    sum.add(at, times, place);
  }

  Collection<RowSum> all() {
    return sums.values();
  }
}
