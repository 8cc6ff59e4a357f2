package gatebook.api.upstream.source;

/**
 * How many reconnects a cut stream still gets: a new event id shows that it goes on.
 *
 * @param eventId the last one of the stream; empty when there was none
 */
record Reconnects(int left, String eventId) {

  /** A stream that is cut this often in a row without a new event id is given up. */
  private static final int MAX = 10;

  static final Reconnects NONE_YET = new Reconnects(MAX, "");

  Reconnects afterCut(String lastEventId) {
    return new Reconnects(lastEventId.equals(eventId) ? left - 1 : MAX, lastEventId);
  }

  boolean mayResume() {
    return left > 0 && !eventId.isEmpty();
  }
}
