package gatebook.api.cli;

import com.fasterxml.jackson.databind.JsonNode;

/** What an answer of the server to a decision is worth, and in one line. */
final class DecisionResult {

  private DecisionResult() {}

  /** False when somebody or something was faster. */
  static boolean counts(JsonNode result) {
    String outcome = result.path("outcome").asText("");
    return outcome.equals("granted") || outcome.equals("rejected");
  }

  static String line(JsonNode result) {
    String call = result.path("callId").asText();
    return switch (result.path("outcome").asText()) {
      case "granted" -> "granted: the call %s goes on".formatted(call);
      case "rejected" -> "rejected: the caller of %s is told".formatted(call);
      case "already-decided" ->
          "already %s by %s at %s"
              .formatted(
                  result.path("decision").asText(),
                  result.path("by").asText("nobody"),
                  result.path("at").asText());
      case "too-late" ->
          "too late: the call could wait until %s".formatted(result.path("deadline").asText());
      case "caller-gone" ->
          "the call has ended (%s): nothing was done".formatted(result.path("end").asText());
      default -> result.toString();
    };
  }
}
