package gatebook.api.memory;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * The memory of all messages that are in flight: bodies of callers, answers of sources, and what
 * they grow to. It is a share of the heap, so that no number of messages exhausts the heap; what
 * does not fit is refused at once. Thread-safe, and without a lock.
 */
public final class InFlightMemory {

  /** That of this process, which has one heap. */
  public static final InFlightMemory OF_PROCESS =
      new InFlightMemory(Runtime.getRuntime().maxMemory(), 60);

  /**
   * How many bytes one byte of a message takes at most while it is decided, recorded and answered:
   * as bytes, as text of two bytes a character, as parts of that text, and encoded again.
   */
  static final int GROWTH = 16;

  /** Larger messages leave the last part of the memory to small ones. */
  static final long SMALL_BYTES_MAX = 64 << 10;

  private static final int PERCENT = 100;
  private static final int PART_FOR_SMALL = 8;

  private final long heapBytes;
  private final AtomicLong usedBytes = new AtomicLong();
  private final LongAdder refusals = new LongAdder();
  private volatile long bytesMax;

  /** A share of a heap of this size. */
  public InFlightMemory(long heapBytes, int percentMax) {
    this.heapBytes = heapBytes;
    this.bytesMax = share(percentMax);
  }

  /** Sets the share; what is reserved already stays reserved. */
  public void setPercentMax(int percentMax) {
    bytesMax = share(percentMax);
  }

  private long share(int percentMax) {
    return heapBytes / PERCENT * percentMax;
  }

  /** A reservation of nothing yet; its opener releases it. */
  public MemoryReservation open() {
    return new MemoryReservation(this);
  }

  /** A reservation of nothing yet, which is returned when all that held it have released it. */
  public MemoryReservation openUnheld() {
    MemoryReservation memory = open();
    memory.release();
    return memory;
  }

  /** The largest message that fits when there is no other. */
  public long messageBytesMax() {
    return forLarge() / GROWTH;
  }

  /** How many bytes are reserved. */
  public long usedBytes() {
    return usedBytes.get();
  }

  /** How many bytes can be reserved. */
  public long bytesMax() {
    return bytesMax;
  }

  /** How many messages did not fit. */
  public long refusals() {
    return refusals.sum();
  }

  /** Reserves this many bytes more for a message of this size; false when they do not fit. */
  boolean tryReserve(long bytes, long messageBytes) {
    long most = messageBytes > SMALL_BYTES_MAX ? forLarge() : bytesMax;
    long used = usedBytes.get();
    while (used + bytes <= most) {
      long found = usedBytes.compareAndExchange(used, used + bytes);
      if (found == used) {
        return true;
      }
      used = found;
    }
    refusals.increment();
    return false;
  }

  private long forLarge() {
    return bytesMax - bytesMax / PART_FOR_SMALL;
  }

  /** Reserves or, below zero, returns bytes. */
  void add(long bytes) {
    usedBytes.addAndGet(bytes);
  }
}
