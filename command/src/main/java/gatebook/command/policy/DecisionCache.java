package gatebook.command.policy;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A cache of decisions in two generations. A hit in the older one moves the entry to the younger.
 * When the younger holds half of the capacity, it becomes the older and the older is dropped. So
 * frequent entries stay, and reads take no lock.
 */
final class DecisionCache<K, V> {

  private final int generationMax;
  private final AtomicReference<Generations<K, V>> current =
      new AtomicReference<>(Generations.empty());

  /** Holds at most {@code max} entries, and one more for each thread that adds concurrently. */
  DecisionCache(int max) {
    this.generationMax = Math.max(1, max / 2);
  }

  @Nullable V get(K key) {
    Generations<K, V> now = current.get();
    V young = now.young().get(key);
    if (young != null) {
      return young;
    }
    V old = now.old().get(key);
    if (old != null) {
      put(key, old);
    }
    return old;
  }

  void put(K key, V value) {
    Generations<K, V> now = current.get();
    now.young().put(key, value);
    if (now.young().mappingCount() >= generationMax) {
      current.compareAndSet(now, now.next());
    }
  }

  long size() {
    Generations<K, V> now = current.get();
    return now.young().mappingCount() + now.old().mappingCount();
  }

  private record Generations<K, V>(ConcurrentHashMap<K, V> young, ConcurrentHashMap<K, V> old) {

    static <K, V> Generations<K, V> empty() {
      return new Generations<>(new ConcurrentHashMap<>(), new ConcurrentHashMap<>());
    }

    Generations<K, V> next() {
      return new Generations<>(new ConcurrentHashMap<>(), young);
    }
  }
}
