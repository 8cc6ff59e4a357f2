package gatebook.api.cli;

import com.fasterxml.jackson.databind.JsonNode;

/** Reads the result of deciding an approval: whether it took effect, and as one line of text. */
final class DecisionResult {

  private DecisionResult() {}

  /** False when the call was already decided, timed out or ended. */
  static boolean counts(JsonNode result) {
    String outcome = result.path("outcome").asText("");
    return outcome.equals("granted") || outcome.equals("rejected");
  }

  static String line(JsonNode result) {
    String call = result.path("callId").asText();
    return switch (result.path("outcome").asText()) {
      case "granted" -> "granted: the call %s continues".formatted(call);
      case "rejected" -> "rejected: the caller of %s gets an error".formatted(call);
      case "already-decided" ->
          "already %s by %s at %s"
              .formatted(
                  result.path("decision").asText(),
                  result.path("by").asText("unknown"),
                  result.path("at").asText());
      case "too-late" ->
          "too late: the call could wait until %s".formatted(result.path("deadline").asText());
      case "caller-gone" ->
          "the call has ended (%s): nothing was done".formatted(result.path("end").asText());
      default -> result.toString();
    };
  }
}
