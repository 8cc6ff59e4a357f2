package gatebook.api.upstream.http;

/**
 * Timeouts of a request and its response.
 *
 * @param answerMillis from the start to the last byte of the response, or to the first of a stream
 * @param silenceMillis between one message of a stream and the next
 * @param notifiedMillis from the start to the end of a stream of notifications only
 * @param streamMillis from the start to the end of any other stream
 */
public record Timeouts(
    long answerMillis, long silenceMillis, long notifiedMillis, long streamMillis) {

  /** Longer than any process lives. */
  public static final long ENDLESS = Long.MAX_VALUE >> 24;

  /** The same timeouts, but none longer than this. */
  public Timeouts atMost(long millisMax) {
    return new Timeouts(
        Math.min(answerMillis, millisMax),
        Math.min(silenceMillis, millisMax),
        Math.min(notifiedMillis, millisMax),
        Math.min(streamMillis, millisMax));
  }

  /** How long a stream may last; a source that asks its caller something waits for a person. */
  public long streamMillis(boolean asks) {
    return asks ? streamMillis : Math.min(notifiedMillis, streamMillis);
  }

  /** The same timeouts, without limits for a stream. */
  public Timeouts unlimitedStream() {
    return new Timeouts(answerMillis, ENDLESS, ENDLESS, ENDLESS);
  }
}
