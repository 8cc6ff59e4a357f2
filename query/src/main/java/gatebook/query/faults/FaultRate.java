package gatebook.query.faults;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The rate of the faults with equal values in the dimensions of the query.
 *
 * @param members the common values, by name; a value that the errors do not have is left out
 * @param firstAt RFC 3339, UTC; the first one in the requested time
 * @param lastCallId absent for floods
 * @param trend compares the last hour with the day before it
 * @param lastHour the count in the hour before the end of the requested time
 * @param dayBefore the count in the 24 hours before that hour
 * @param dayBeforeHours how many of these 24 hours the journal recorded
 * @param sparkline the counts in equal parts of the requested time
 */
public record FaultRate(
    Map<String, JsonNode> members,
    long count,
    String firstAt,
    String lastAt,
    @Nullable UUID lastCallId,
    Trend trend,
    long lastHour,
    long dayBefore,
    double dayBeforeHours,
    List<Long> sparkline) {

  public FaultRate {
    members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
    sparkline = List.copyOf(sparkline);
  }

  /** The value of a member as operators see it. */
  static JsonNode memberJson(String column, String value) {
    return column.equals("code") ? FaultKey.codeJson(value) : TextNode.valueOf(value);
  }
}
