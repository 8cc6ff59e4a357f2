package gatebook.command.policy;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What was decided lately. Two generations: what is found in the older one moves to the younger,
 * and when the younger is half of what may be kept, the older is forgotten. So what is asked often
 * stays, and finding takes no lock.
 */
final class DecisionCache<K, V> {

  private final int generationMax;
  private final AtomicReference<Generations<K, V>> current =
      new AtomicReference<>(Generations.empty());

  /** Keeps so many at most, and at least one for each thread that adds at the same moment. */
  DecisionCache(int max) {
    this.generationMax = Math.max(1, max / 2);
  }

  @Nullable V find(K key) {
    Generations<K, V> now = current.get();
    V young = now.young().get(key);
    if (young != null) {
      return young;
    }
    V old = now.old().get(key);
    if (old != null) {
      keep(key, old);
    }
    return old;
  }

  void keep(K key, V value) {
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
