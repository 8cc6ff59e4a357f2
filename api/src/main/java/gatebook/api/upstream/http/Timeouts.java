package gatebook.api.upstream.http;

/**
 * How long an answer may take.
 *
 * @param answerMillis from the beginning to the last byte of an answer, or to the first of a stream
 * @param silenceMillis between one message of a stream and the next
 * @param streamMillis from the beginning to the end of a stream
 */
public record Timeouts(long answerMillis, long silenceMillis, long streamMillis) {

  /** Longer than any process lives. */
  public static final long ENDLESS = Long.MAX_VALUE >> 24;

  /** For streams that end only when somebody wants them to. */
  public Timeouts withoutEnd() {
    return new Timeouts(answerMillis, ENDLESS, ENDLESS);
  }
}
