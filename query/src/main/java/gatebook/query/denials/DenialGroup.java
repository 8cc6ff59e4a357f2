package gatebook.query.denials;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A group of denials with equal values in the dimensions of the query.
 *
 * @param members the common values, by name
 * @param lastAt RFC 3339, UTC; absent together with {@code lastCallId} when the group is empty
 */
public record DenialGroup(
    Map<String, @Nullable Object> members,
    long count,
    @Nullable String lastAt,
    @Nullable UUID lastCallId) {

  public DenialGroup {
    members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
  }
}
