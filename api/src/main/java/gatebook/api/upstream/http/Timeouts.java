package gatebook.api.upstream.http;

/**
 * Timeouts of a request and its response.
 *
 * @param answerMillis from the start to the last byte of the response, or to the first of a stream
 * @param silenceMillis between one message of a stream and the next
 * @param streamMillis from the start to the end of a stream
 */
public record Timeouts(long answerMillis, long silenceMillis, long streamMillis) {

  /** Longer than any process lives. */
  public static final long ENDLESS = Long.MAX_VALUE >> 24;

  /** The same timeouts, but none longer than this. */
  public Timeouts atMost(long millisMax) {
    return new Timeouts(
        Math.min(answerMillis, millisMax),
        Math.min(silenceMillis, millisMax),
        Math.min(streamMillis, millisMax));
  }

  /** The same timeouts, without limits for a stream. */
  public Timeouts unlimitedStream() {
    return new Timeouts(answerMillis, ENDLESS, ENDLESS);
  }
}
