package gatebook.api.upstream.http;

/**
 * What one address may cost us.
 *
 * @param connectionsMax open at once
 * @param waitingMax requests that wait for one of them
 * @param idleMillisMax how long one is kept that nobody uses
 * @param connectMillisMax until it may be used, with the lookup of the name and TLS
 * @param headerBytesMax of an answer
 * @param answerBytesMax of an answer's body, or of one event of a stream
 * @param streamsMax open at once, besides those connections
 * @param streamMillisMax how long one of them may go on
 */
public record ConnectionLimits(
    int connectionsMax,
    int waitingMax,
    long idleMillisMax,
    long connectMillisMax,
    int headerBytesMax,
    long answerBytesMax,
    int streamsMax,
    long streamMillisMax) {
  public static final ConnectionLimits DEFAULT =
      new ConnectionLimits(64, 1_024, 30_000, 5_000, 8 << 10, 10L << 20, 4_096, 3_600_000);
}
