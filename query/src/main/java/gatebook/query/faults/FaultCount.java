package gatebook.query.faults;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import gatebook.query.projection.EpochNanos;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The count of the faults with equal values in the dimensions of the query.
 *
 * @param members the common values, by name; a value that the errors do not have is left out
 * @param firstAt RFC 3339, UTC; the first one in the requested time
 * @param lastCallId absent for floods
 */
public record FaultCount(
    Map<String, JsonNode> members,
    long count,
    String firstAt,
    String lastAt,
    @Nullable UUID lastCallId) {

  public FaultCount {
    members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
  }

  /** The value of a member as operators see it. */
  static JsonNode memberJson(String column, String value) {
    return switch (column) {
      case "code" -> FaultKey.codeJson(value);
      case "fingerprint" -> TextNode.valueOf(FaultKey.fingerprintText(Long.parseLong(value)));
      case "minute", "hour", "day" ->
          TextNode.valueOf(EpochNanos.toInstant(Long.parseLong(value)).toString());
      default -> TextNode.valueOf(value);
    };
  }
}
