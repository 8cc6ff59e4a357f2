package gatebook.api.gateway;

import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.BinaryOperator;

/**
 * A map of the most recently used entries. The data exists in this process only and is lost when it
 * ends.
 */
public final class RecentEntries<K, V> {
  private static final int INITIAL_CAPACITY = 16;
  private static final float LOAD_FACTOR = 0.75f;

  private final SequencedMap<K, V> entries =
      new LinkedHashMap<>(INITIAL_CAPACITY, LOAD_FACTOR, true);

  /** Uses an entry; empty when there is none. */
  public synchronized Optional<V> find(K key) {
    return Optional.ofNullable(entries.get(key));
  }

  /**
   * Adds an entry, and returns its value.
   *
   * @param joined the value where there is one already, given that and the added one
   * @param entriesMax how many entries are kept
   */
  public synchronized V add(K key, V value, BinaryOperator<V> joined, int entriesMax) {
    V added = entries.merge(key, value, joined);
    while (entries.size() > entriesMax) {
      entries.pollFirstEntry();
    }
    return added;
  }
}
