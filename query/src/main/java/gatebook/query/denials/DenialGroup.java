package gatebook.query.denials;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Denials that have something in common.
 *
 * @param members what they have in common, by name
 * @param lastAt RFC 3339, UTC; absent together with {@code lastCallId} where there are none
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
