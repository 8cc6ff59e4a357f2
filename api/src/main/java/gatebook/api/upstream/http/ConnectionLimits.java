package gatebook.api.upstream.http;

/**
 * Limits for the connections to one address.
 *
 * @param connectionsMax ordinary connections open at once
 * @param waitingMax requests that wait for a connection
 * @param idleMillisMax how long an unused connection is kept
 * @param connectMillisMax until a connection is usable, including DNS lookup and TLS
 * @param headerBytesMax of a response
 * @param answerBytesMax of a response body, or of one event of a stream
 * @param streamsMax connections that carry a stream, in addition to the ordinary ones
 * @param streamMillisMax how long one stream may last
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
