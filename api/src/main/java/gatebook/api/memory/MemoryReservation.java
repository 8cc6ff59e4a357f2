package gatebook.api.memory;

/**
 * The memory reserved for one message, or for a call with its messages. Each user of the message
 * holds the reservation; the last release returns it. Thread-safe.
 */
public final class MemoryReservation {

  /** Growing messages are reserved in steps of this size. */
  private static final long STEP_BYTES = 64 << 10;

  private final InFlightMemory inFlightMemory;
  private int holders = 1;
  private long messageBytes;
  private long addedBytes;

  MemoryReservation(InFlightMemory inFlightMemory) {
    this.inFlightMemory = inFlightMemory;
  }

  /**
   * Sets the reservation to the memory that a message of this size grows to; false, without an
   * effect, when it does not fit.
   */
  public synchronized boolean resize(long newMessageBytes) {
    if (holders == 0) {
      return true; // nobody works with the message any longer
    }
    long more = newMessageBytes - messageBytes;
    if (more > 0 && !inFlightMemory.tryReserve(more * InFlightMemory.GROWTH, newMessageBytes)) {
      return false;
    }
    if (more < 0) {
      inFlightMemory.add(more * InFlightMemory.GROWTH);
    }
    messageBytes = newMessageBytes;
    return true;
  }

  /** As {@link #resize}, for a message that is growing and will take the next step soon. */
  public boolean growTo(long newMessageBytes) {
    long known = messageBytes();
    if (newMessageBytes <= known) {
      return true;
    }
    return newMessageBytes <= STEP_BYTES
        ? resize(newMessageBytes)
        : resize(Math.ceilDiv(newMessageBytes, STEP_BYTES) * STEP_BYTES);
  }

  private synchronized long messageBytes() {
    return messageBytes;
  }

  /** Adds a further message, whose memory was reserved elsewhere until now. */
  public synchronized void add(long bytes) {
    if (holders > 0) {
      addedBytes += bytes;
      inFlightMemory.add(bytes * InFlightMemory.GROWTH);
    }
  }

  /** Adds a holder, which has to {@link #release}. */
  public synchronized MemoryReservation hold() {
    holders++;
    return this;
  }

  /** Ends the work of one holder. */
  public synchronized void release() {
    holders--;
    if (holders == 0) {
      inFlightMemory.add(-(messageBytes + addedBytes) * InFlightMemory.GROWTH);
      messageBytes = 0;
      addedBytes = 0;
    }
  }
}
