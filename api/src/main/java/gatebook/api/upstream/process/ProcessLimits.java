package gatebook.api.upstream.process;

/**
 * Limits for one process.
 *
 * @param lineBytesMax of a message that the process writes
 * @param depthMax how deep such a message may be nested
 * @param waitingMax messages to the process that are not written yet
 * @param waitingBytesMax their total size
 * @param stopMillis how long it may take to end after its input was closed, and again after
 *     SIGTERM, before SIGKILL
 */
public record ProcessLimits(
    long lineBytesMax, int depthMax, int waitingMax, long waitingBytesMax, long stopMillis) {

  /** The limits unless the rules set others. */
  public static final ProcessLimits DEFAULT =
      new ProcessLimits(10L << 20, 256, 1_024, 64L << 20, 2_000);

  /** The same limits with another size and depth of messages. */
  public ProcessLimits withMessages(long bytesMax, int depth) {
    return new ProcessLimits(bytesMax, depth, waitingMax, waitingBytesMax, stopMillis);
  }
}
