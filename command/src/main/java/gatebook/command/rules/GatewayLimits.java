package gatebook.command.rules;

/**
 * Every limit of the border.
 *
 * @param refusalsPerSecondMax messages that are no calls and are recorded one by one; more of them
 *     are counted
 * @param viewLagEventsMax how far a view may be behind the journal before the node is not ready
 * @param tailReadersMax operators who follow the journal at the same time
 * @param tailStalledMillisMax how long one of them may take nothing of what there is
 * @param streamsMax streams of one source that are open at the same time
 * @param streamMillisMax how long one of them may go on
 * @param streamStalledMillisMax how long a caller may take nothing of what is streamed to him
 * @param sessionsMax conversations with clients at the same time
 * @param sessionIdleMillisMax how long nothing may happen in one of them
 * @param heldAnswerMillisMax how long a held call goes without an answer whose caller can come back
 * @param heldAwayMillisMax how long he may take to come back
 * @param taskMillisMax how long a task is kept at most, unless somebody may decide for longer
 * @param taskKeptMillis how long it is kept after that, unless its caller wants it otherwise
 * @param taskParamsBytesMax how large the params of a task may be
 * @param listenResourcesMax of how many resources one call may want to hear
 * @param sourceTasksMax of how many tasks of sources is known whose they are
 * @param inputRoundsMax how often a source may want to know more before it answers one call
 */
public record GatewayLimits(
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
    long viewLagEventsMax,
    int tailReadersMax,
    long tailStalledMillisMax,
    int streamsMax,
    long streamMillisMax,
    long streamStalledMillisMax,
    int sessionsMax,
    long sessionIdleMillisMax,
    long heldAnswerMillisMax,
    long heldAwayMillisMax,
    long taskMillisMax,
    long taskKeptMillis,
    int taskParamsBytesMax,
    int listenResourcesMax,
    int sourceTasksMax,
    int inputRoundsMax) {
  public static final GatewayLimits DEFAULT =
      new GatewayLimits(
          10L << 20,
          256,
          8 << 10,
          30_000,
          5_000,
          30_000,
          10L << 20,
          10,
          1_000,
          100,
          200,
          100,
          100_000,
          32,
          60_000,
          4_096,
          3_600_000,
          30_000,
          10_000,
          1_800_000,
          45_000,
          60_000,
          86_400_000,
          3_600_000,
          512 << 10,
          100,
          10_000,
          16);
}
