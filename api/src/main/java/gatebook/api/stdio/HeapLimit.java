package gatebook.api.stdio;

/** What this process's heap has room for. */
final class HeapLimit {

  /**
   * A message is there several times while it is decided: its bytes, its text, what is recorded.
   */
  private static final int BODY_SHARE = 16;

  private static final int AHEAD_SHARE = 32;
  private static final long AHEAD_BYTES_MAX = 32L << 20;

  private HeapLimit() {}

  /** How long one body may be, whatever else is allowed. */
  static long bodyBytesMax() {
    return bodyBytesMax(Runtime.getRuntime().maxMemory());
  }

  static long bodyBytesMax(long heapBytes) {
    return heapBytes / BODY_SHARE;
  }

  /** How much may be read ahead of what is being answered. */
  static long aheadBytesMax() {
    return aheadBytesMax(Runtime.getRuntime().maxMemory());
  }

  static long aheadBytesMax(long heapBytes) {
    return Math.min(AHEAD_BYTES_MAX, heapBytes / AHEAD_SHARE);
  }
}
