package gatebook.command.rules;

/**
 * Every limit of the border.
 *
 * @param refusalsPerSecondMax messages that are no calls and are recorded one by one; more of them
 *     are counted
 * @param viewLagEventsMax how far a view may be behind the journal before the node is not ready
 */
public record Limits(
    long bodyBytesMax,
    int depthMax,
    int headerBytesMax,
    long readMillisMax,
    long connectMillisMax,
    long answerMillisMax,
    long answerBytesMax,
    int heldPerPrincipalMax,
    int heldMax,
    int ratePerSecond,
    int rateBurst,
    int refusalsPerSecondMax,
    long viewLagEventsMax) {
  public static final Limits DEFAULT =
      new Limits(
          10L << 20, 256, 8 << 10, 30_000, 5_000, 30_000, 10L << 20, 10, 1_000, 100, 200, 100,
          100_000);
}
