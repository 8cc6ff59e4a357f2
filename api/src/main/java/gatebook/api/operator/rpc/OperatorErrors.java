package gatebook.api.operator.rpc;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.rpc.MessageWriter;
import gatebook.events.call.JsonValue;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the error responses to one operator request. Each has the correlation id of the request
 * and is logged.
 *
 * @param operator null when the token belongs to no operator
 */
public record OperatorErrors(String correlationId, @Nullable String operator) {

  private static final Logger LOG = LoggerFactory.getLogger(OperatorErrors.class);

  /** The error codes: those of JSON-RPC, and two that exist for operators only. */
  public enum Code {
    PARSE_ERROR(-32_700, "the message is not JSON"),
    INVALID_REQUEST(-32_600, "the message is no JSON-RPC 2.0 request"),
    METHOD_NOT_FOUND(-32_601, "no such method: rpc.discover lists all"),
    INVALID_PARAMS(-32_602, "a param is missing, wrong or unknown"),
    INTERNAL_ERROR(-32_603, "internal error: see the log of this node"),
    FORBIDDEN(403, "this requires a role that the operator does not have"),
    NOT_NOW(503, "not now: try again later");

    private final int number;
    private final String sentence;

    Code(int number, String sentence) {
      this.number = number;
      this.sentence = sentence;
    }

    public int number() {
      return number;
    }

    /** The message when there is nothing more specific. */
    public String sentence() {
      return sentence;
    }
  }

  public byte[] error(@Nullable String id, Code code) {
    return error(id, code, code.sentence, Map.of());
  }

  public byte[] error(@Nullable String id, Code code, String sentence) {
    return error(id, code, sentence, Map.of());
  }

  /** The error response; {@code data} holds its members besides the correlation id. */
  public byte[] error(@Nullable String id, Code code, String sentence, Map<String, String> data) {
    LOG.atWarn()
        .addKeyValue("correlation_id", correlationId)
        .addKeyValue("operator", operator)
        .addKeyValue("code", code.number)
        .addKeyValue("reason", sentence)
        .log("an operator request was answered with an error");
    ObjectNode members = JsonNodeFactory.instance.objectNode().put("correlation_id", correlationId);
    data.forEach(members::put);
    return MessageWriter.error(id, code.number, sentence, JsonValue.parse(members.toString()));
  }
}
