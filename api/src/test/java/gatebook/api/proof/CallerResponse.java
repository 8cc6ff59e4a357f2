package gatebook.api.proof;

import com.fasterxml.jackson.databind.JsonNode;

/** A complete response as a caller read it. */
record CallerResponse(TestCall call, int status, String body) {
  private static final int JOURNAL_UNAVAILABLE = -32013;

  /** The same code, but the journal has a record of it. */
  private static final String RESERVE = "the disk is nearly full";

  boolean isAcknowledgement() {
    return status == 202;
  }

  JsonNode json() {
    return ServerProcess.json(body);
  }

  /**
   * Whether the response says that the journal is unavailable; such responses have no record of
   * their own.
   */
  boolean isUnavailable() {
    return call.kind() == TestCall.Kind.NOTIFICATION
        ? status == 503
        : body.contains("\"code\":" + JOURNAL_UNAVAILABLE) && !body.contains(RESERVE);
  }

  /** Whether the call was forwarded, and its outcome could not be recorded. */
  boolean isOutcomeNotRecorded() {
    return isUnavailable() && body.contains("do not retry");
  }
}
