package gatebook.query.faults;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import gatebook.query.trend.Trend;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A group of error responses with the same fault, code, gate and target.
 *
 * @param fingerprint identifies the group, as long as the way of grouping does not change
 * @param code a number, or {@code "other"} for all codes that no vocabulary of the dialect defines;
 *     absent for floods
 * @param firstAt RFC 3339, UTC; the first one in the requested time
 * @param lastCallId absent for floods
 * @param sparkline the counts in equal parts of the requested time
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record FaultGroup(
    String fingerprint,
    String dialect,
    @Nullable JsonNode code,
    String fault,
    @Nullable String gate,
    @Nullable String target,
    long count,
    String firstAt,
    String lastAt,
    @Nullable UUID lastCallId,
    Trend trend,
    List<Long> sparkline) {

  public FaultGroup {
    sparkline = List.copyOf(sparkline);
  }
}
