package gatebook.api.operator.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;

/** Asks whoever keeps a journal what operators may ask. */
public interface OperatorClient {

  /** What asking ends in. */
  sealed interface Answer {
    record Result(JsonNode json) implements Answer {}

    /** The sentence says what went wrong, and what to do where something can be done. */
    record Failed(String sentence) implements Answer {}
  }

  /** Asks, and waits as long as the answer takes. */
  Answer ask(String method, ObjectNode params) throws InterruptedException;

  /**
   * Follows the journal, and hands over each line of server-sent events as it comes.
   *
   * @param query of the address, with its question mark
   * @param after the last position seen by then, if there was one
   * @param wantsMore takes a line and says whether it wants another
   */
  FollowResult follow(String query, OptionalLong after, Predicate<String> wantsMore)
      throws InterruptedException;

  /** The question as it is sent. */
  static String message(String method, ObjectNode params) {
    ObjectNode message =
        new JsonMapper()
            .createObjectNode()
            .put("jsonrpc", "2.0")
            .put("id", 1)
            .put("method", method);
    message.set("params", params);
    return message.toString();
  }

  /** The answer as it came; empty when it is none of ours. */
  static Optional<Answer> answer(String body) {
    try {
      JsonNode json = new JsonMapper().readTree(body);
      JsonNode error = json.path("error").path("message");
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
