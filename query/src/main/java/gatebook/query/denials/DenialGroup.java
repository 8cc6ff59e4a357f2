package gatebook.query.denials;

import gatebook.query.trend.Trend;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A group of denials with equal values in the dimensions of the query.
 *
 * @param members the common values, by name
 * @param firstAt RFC 3339, UTC; absent together with {@code lastAt} and {@code lastCallId} when the
 *     group is empty
 * @param lastAt RFC 3339, UTC
 * @param trend absent when a dimension is a part of the time
 */
public record DenialGroup(
    Map<String, @Nullable Object> members,
    long count,
    @Nullable String firstAt,
    @Nullable String lastAt,
    @Nullable UUID lastCallId,
    @Nullable Trend trend) {

  public DenialGroup {
    members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
  }
}
