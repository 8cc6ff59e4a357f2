package gatebook.query.counts;

import java.util.HashMap;
import java.util.Map;

/** The tallies of the rows with each key, in each part of a time. */
final class PartTallies {
  private final Map<Long, Map<Long, Tally>> byPart = new HashMap<>();

  /** Takes the tally of a key in a part. */
  @FunctionalInterface
  interface Taker {
    void take(long part, long key, Tally tally);
  }

  void add(long part, long key, Tally tally) {
    Tally _ = of(part).merge(key, tally, Tally::plus);
  }

  /** The tallies of a part by key, which can be added to. */
  Map<Long, Tally> of(long part) {
    return byPart.computeIfAbsent(part, _ -> new HashMap<>());
  }

  void forEach(Taker taker) {
    byPart.forEach((part, byKey) -> byKey.forEach((key, tally) -> taker.take(part, key, tally)));
  }
}
