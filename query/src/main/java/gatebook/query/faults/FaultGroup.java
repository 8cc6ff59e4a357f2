package gatebook.query.faults;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Errors that count as the same.
 *
 * @param fingerprint names the group, for as long as errors are told apart as they are now
 * @param code a number, or {@code "other"} for all that no vocabulary of the dialect defines;
 *     absent of floods
 * @param firstAt RFC 3339, UTC; the first in the time that was asked about
 * @param lastCallId absent of floods
 * @param sparkline how many there were in each part of the time that was asked about
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
