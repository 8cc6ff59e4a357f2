package gatebook.api.flow;

import java.util.LinkedHashSet;
import java.util.Set;

/** The slots in which tasks of all trees run: a tree that finds none is told when one is free. */
final class RunSlots {
  private final Set<Runnable> waiting = new LinkedHashSet<>();
  private final int count;
  private int free;

  RunSlots(int count) {
    this.count = count;
    this.free = count;
  }

  synchronized int taken() {
    return count - free;
  }

  /** Takes a slot; without one, {@code whenFree} is run when one is released. */
  synchronized boolean take(Runnable whenFree) {
    if (free == 0) {
      waiting.add(whenFree);
      return false;
    }
    free--;
    return true;
  }

  void release() {
    Runnable next;
    synchronized (this) {
      free++;
      next = waiting.isEmpty() ? null : waiting.iterator().next();
      waiting.remove(next);
    }
    if (next != null) {
      next.run();
    }
  }
}
