package gatebook.events.journal;

import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.JournalLimits;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Buffers the newest durable events in memory for readers that follow the journal, and holds the
 * head: the position up to which readers see it.
 *
 * <p>Readers see whole batches: the head moves once per batch, after every entry of it is in place.
 */
final class TailBuffer {
  private final AtomicReferenceArray<@Nullable Entry> ring;
  private final long bytesMax;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private volatile long head;
  private long floor;
  private long bytes;

  TailBuffer(JournalLimits limits, long head) {
    this.ring = new AtomicReferenceArray<>(limits.tailEventsMax());
    this.bytesMax = limits.tailBytesMax();
    this.head = head;
    this.floor = head;
  }

  long head() {
    return head;
  }

  /** The entry, or null when the buffer does not hold it any longer. */
  @Nullable Entry get(long position) {
    Entry entry = ring.get(slot(position));
    return entry != null && entry.position() == position ? entry : null;
  }

  /**
   * Publishes entries that follow the head without a gap; those already published are skipped.
   *
   * @return false when there is a gap; then nothing changed
   */
  synchronized boolean publish(List<Entry> entries) {
    if (entries.isEmpty() || entries.getLast().position() <= head) {
      return true;
    }
    if (entries.getFirst().position() > head + 1) {
      return false;
    }
    for (Entry entry : entries) {
      if (entry.position() > head) {
        put(entry);
      }
    }
    head = entries.getLast().position();
    return true;
  }

  private void put(Entry entry) {
    Entry old = ring.getAndSet(slot(entry.position()), entry);
    bytes += size(entry) - (old == null ? 0 : size(old));
    floor = Math.max(floor, entry.position() - ring.length());
    while (bytes > bytesMax && floor + 1 < entry.position()) {
      Entry oldest = ring.getAndSet(slot(++floor), null);
      bytes -= oldest == null ? 0 : size(oldest);
    }
  }

  /** Drops the objects that payloads were written from; payloads stay. */
  synchronized void dropContent() {
    for (int slot = 0; slot < ring.length(); slot++) {
      Entry entry = ring.get(slot);
      if (entry != null && entry.content() != null) {
        Entry without = entry.withoutContent();
        ring.set(slot, without);
        bytes -= size(entry) - size(without);
      }
    }
  }

  /** Removes the entries up to a position, which are then read from the storage. */
  synchronized void removeUpTo(long position) {
    while (floor < Math.min(position, head)) {
      Entry entry = get(++floor);
      if (entry != null) {
        ring.set(slot(floor), null);
        bytes -= size(entry);
      }
    }
  }

  private int slot(long position) {
    return (int) (position & (ring.length() - 1));
  }

  /** The object that the payload was written from takes about as much memory again. */
  private static long size(Entry entry) {
    long written = entry.payload().length + entry.metadata().length + 2L * entry.tags().length();
    return 200L + (entry.content() == null ? written : 2 * written);
  }

  Runnable follow(Runnable onAppend) {
    listeners.add(onAppend);
    return () -> listeners.remove(onAppend);
  }

  void notifyListeners() {
    listeners.forEach(Runnable::run);
  }
}
