package gatebook.api.operator.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.events.call.UnlimitedJson;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;

/** A client that calls operator methods of the process that holds the journal. */
public interface OperatorClient {

  /** The answer to a call. */
  sealed interface Answer {
    record Result(JsonNode json) implements Answer {}

    /** The sentence says what failed, and what to do where something can be done. */
    record Failed(String sentence) implements Answer {}
  }

  /** Calls a method and waits without a time limit for its answer. */
  Answer call(String method, ObjectNode params) throws InterruptedException;

  /**
   * Follows the event tail and passes on each line of server-sent events as it arrives.
   *
   * @param query the query of the address, with its question mark
   * @param after the last position received, if there was one
   * @param wantsMore takes a line and returns whether it wants another
   */
  FollowResult follow(String query, OptionalLong after, Predicate<String> wantsMore)
      throws InterruptedException;

  /**
   * Parses a response; empty when it is not one of a Gatebook server. A case file in it is one text
   * of any length.
   */
  static Optional<Answer> parseAnswer(String body) {
    try {
      JsonNode json = new JsonMapper(UnlimitedJson.factory()).readTree(body);
      JsonNode refusal = json.path("error"); // of a method, or of HTTP itself
      JsonNode error = refusal.isTextual() ? refusal : refusal.path("message");
      if (error.isTextual()) {
        return Optional.of(new Answer.Failed(error.textValue()));
      }
      return json.path("result").isObject()
          ? Optional.of(new Answer.Result(json.path("result")))
          : Optional.empty();
    } catch (JsonProcessingException _) {
      return Optional.empty();
    }
  }
}
