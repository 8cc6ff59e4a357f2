package gatebook.api.operator.rpc;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.command.keep.PayloadRecorder;
import gatebook.events.call.JsonValue;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Makes the recorded form of the params of a request: texts that may have secrets are replaced by
 * their size and a keyed digest.
 */
public final class RecordedParams {
  private static final JsonMapper JSON = new JsonMapper();

  private final PayloadRecorder payloadRecorder;

  public RecordedParams(PayloadRecorder payloadRecorder) {
    this.payloadRecorder = payloadRecorder;
  }

  /**
   * The recorded form of params that may be wrong. Params of a method that takes a secret text are
   * recorded unchanged only where they are known to be something else.
   *
   * @param sent the text of a JSON object or array; null when there was none
   */
  public @Nullable JsonValue of(OperatorMethod method, @Nullable String sent) {
    if (sent == null) {
      return null;
    }
    if (method.params().stream().noneMatch(param -> param.type().isSecret())) {
      return JsonValue.parse(sent);
    }
    return object(sent)
        .filter(params -> params.properties().stream().allMatch(it -> isDeclared(method, it)))
        .map(params -> withoutSecrets(method, params))
        .orElseGet(() -> digested(sent));
  }

  private static Optional<ObjectNode> object(String sent) {
    try {
      return JSON.readTree(sent) instanceof ObjectNode object
          ? Optional.of(object)
          : Optional.empty();
    } catch (JsonProcessingException _) {
      return Optional.empty();
    }
  }

  private JsonValue withoutSecrets(OperatorMethod method, ObjectNode params) {
    return JsonValue.written(generator -> {
      generator.writeStartObject();
      for (Map.Entry<String, JsonNode> param : params.properties()) {
        generator.writeFieldName(param.getKey());
        generator.writeRawValue(recorded(method, param).toString());
      }
      generator.writeEndObject();
    });
  }

  private JsonValue recorded(OperatorMethod method, Map.Entry<String, JsonNode> param) {
    boolean isPublic =
        method.params().stream()
            .filter(it -> it.name().equals(param.getKey()))
            .anyMatch(it -> !it.type().isSecret() && it.type().accepts(param.getValue()));
    return isPublic
        ? JsonValue.parse(param.getValue().toString())
        : digested(text(param.getValue()));
  }

  private static boolean isDeclared(OperatorMethod method, Map.Entry<String, JsonNode> param) {
    return method.params().stream().anyMatch(it -> it.name().equals(param.getKey()));
  }

  private static String text(JsonNode value) {
    return value.isTextual() ? value.textValue() : value.toString();
  }

  /** The digest has a label, which keeps it from being masked as a random text. */
  private JsonValue digested(String text) {
    String hmac = HexFormat.of().formatHex(payloadRecorder.digest(text).hmac().toArray());
    return JsonValue.written(generator -> {
      generator.writeStartObject();
      generator.writeNumberField("sizeBytes", text.getBytes(UTF_8).length);
      generator.writeStringField("hmac", "sha256:" + hmac);
      generator.writeEndObject();
    });
  }
}
