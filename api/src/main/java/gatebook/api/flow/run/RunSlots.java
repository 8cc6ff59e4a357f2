package gatebook.api.flow.run;

import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.function.IntSupplier;

/** The slots in which tasks of all trees run: a tree that finds none is told when one is free. */
final class RunSlots {
  private final SequencedSet<Runnable> waiting = new LinkedHashSet<>();
  private final IntSupplier max;
  private int taken;

  /**
   * @param max how many there are now; it may change
   */
  RunSlots(IntSupplier max) {
    this.max = max;
  }

  synchronized int taken() {
    return taken;
  }

  /**
   * Takes a slot; without one, {@code whenFree} is run when one is released. Who waits already
   * waits no longer.
   */
  synchronized boolean take(Runnable whenFree) {
    if (!isFree()) {
      waiting.add(whenFree);
      return false;
    }
    taken++;
    return true;
  }

  /** Takes a slot, even beyond their number, for what runs already. */
  synchronized void takeAnyway() {
    taken++;
  }

  /** Releases a slot, and tells those that wait, for as long as there are free ones. */
  void release() {
    synchronized (this) {
      taken--;
    }
    for (var next = nextWaiting(); next.isPresent(); next = nextWaiting()) {
      next.get().run();
    }
  }

  private synchronized Optional<Runnable> nextWaiting() {
    return isFree() && !waiting.isEmpty() ? Optional.of(waiting.removeFirst()) : Optional.empty();
  }

  private boolean isFree() {
    return taken < max.getAsInt();
  }
}
