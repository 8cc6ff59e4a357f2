package gatebook.api.upstream.process;

/**
 * What one program is kept within.
 *
 * @param lineBytesMax of a message that it writes
 * @param depthMax how deep such a message may be nested
 * @param waitingMax messages for it that are not written yet
 * @param waitingBytesMax all of them together
 * @param stopMillis how long it may take to end after its input was closed, and again after it was
 *     told to, before it is made to
 */
public record ProcessLimits(
    long lineBytesMax, int depthMax, int waitingMax, long waitingBytesMax, long stopMillis) {

  /** As programs are kept unless the rules say otherwise. */
  public static final ProcessLimits DEFAULT =
      new ProcessLimits(10L << 20, 256, 1_024, 64L << 20, 2_000);

  /** The same for messages as large and as deep as this. */
  public ProcessLimits reading(long bytesMax, int depth) {
    return new ProcessLimits(bytesMax, depth, waitingMax, waitingBytesMax, stopMillis);
  }
}
