package gatebook.api.operator;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.rpc.ResponseWriter;
import gatebook.events.call.JsonValue;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The errors that one message of an operator is answered with: each has the correlation id of the
 * message, and a line in the log.
 *
 * @param operator absent when the token is nobody's
 */
record OperatorErrors(String correlationId, @Nullable String operator) {

  private static final Logger LOG = LoggerFactory.getLogger(OperatorErrors.class);

  /**
   * What went wrong. Beside the codes of JSON-RPC itself there are two of our own, which no
   * vocabulary of callers has.
   */
  enum Code {
    PARSE_ERROR(-32_700, "the message is not JSON"),
    INVALID_REQUEST(-32_600, "the message is no JSON-RPC 2.0 request"),
    METHOD_NOT_FOUND(-32_601, "no such method: ask rpc.discover for all"),
    INVALID_PARAMS(-32_602, "a param is missing, wrong or unknown"),
    INTERNAL_ERROR(-32_603, "this went wrong here: see the log of this node"),
    FORBIDDEN(403, "this takes a role that the operator does not have"),
    NOT_NOW(503, "not now: ask again later");

    private final int number;
    private final String sentence;

    Code(int number, String sentence) {
      this.number = number;
      this.sentence = sentence;
    }

    int number() {
      return number;
    }

    /** What it says where there is nothing more to say. */
    String sentence() {
      return sentence;
    }
  }

  byte[] error(@Nullable String id, Code code) {
    return error(id, code, code.sentence, Map.of());
  }

  byte[] error(@Nullable String id, Code code, String sentence) {
    return error(id, code, sentence, Map.of());
  }

  /** The answer; {@code data} are its members besides the correlation id. */
  byte[] error(@Nullable String id, Code code, String sentence, Map<String, String> data) {
    LOG.atWarn()
        .addKeyValue("correlation_id", correlationId)
        .addKeyValue("operator", operator)
        .addKeyValue("code", code.number)
        .addKeyValue("reason", sentence)
        .log("an operator's message was answered with an error");
    ObjectNode members = JsonNodeFactory.instance.objectNode().put("correlation_id", correlationId);
    data.forEach(members::put);
    return ResponseWriter.error(id, code.number, sentence, JsonValue.parse(members.toString()));
  }
}
