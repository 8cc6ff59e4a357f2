package gatebook.api.stdio;

/** The limits that this process's heap sets. */
final class HeapLimit {

  /** While a message is decided it is in memory several times: as bytes, as text, as events. */
  private static final int BODY_SHARE = 16;

  private static final int AHEAD_SHARE = 32;
  private static final long AHEAD_BYTES_MAX = 32L << 20;

  private HeapLimit() {}

  /** The largest body, even if the rules allow a larger one. */
  static long bodyBytesMax() {
    return bodyBytesMax(Runtime.getRuntime().maxMemory());
  }

  static long bodyBytesMax(long heapBytes) {
    return heapBytes / BODY_SHARE;
  }

  /** How many bytes may be read ahead of the message that is being answered. */
  static long aheadBytesMax() {
    return aheadBytesMax(Runtime.getRuntime().maxMemory());
  }

  static long aheadBytesMax(long heapBytes) {
    return Math.min(AHEAD_BYTES_MAX, heapBytes / AHEAD_SHARE);
  }
}
