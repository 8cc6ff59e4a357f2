package gatebook.api.proof;

import com.fasterxml.jackson.databind.JsonNode;

/** A whole answer as a caller read it. */
record Telling(Call call, int status, String body) {
  private static final int JOURNAL_UNAVAILABLE = -32013;

  boolean isAcknowledgement() {
    return status == 202;
  }

  JsonNode json() {
    return Server.json(body);
  }

  /** One of those answers that have no record of their own. */
  boolean isUnavailable() {
    return call.kind() == Call.Kind.NOTIFICATION
        ? status == 503
        : body.contains("\"code\":" + JOURNAL_UNAVAILABLE);
  }

  /** It went upstream, and nobody could record what came of it. */
  boolean isOutcomeNotRecorded() {
    return isUnavailable() && body.contains("do not retry");
  }
}
