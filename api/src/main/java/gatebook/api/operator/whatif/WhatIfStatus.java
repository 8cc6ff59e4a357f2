package gatebook.api.operator.whatif;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * The status of the newest what-if of a node.
 *
 * @param state running, done, cancelled, failed, or none since the start of the node
 * @param candidate the hash of the candidate
 * @param position the event that was read last
 * @param upTo the last event that is read
 * @param decided how many calls are decided
 * @param report absent until it is done
 * @param note the report as it is signed; absent when this node signs nothing
 * @param error why there is no report
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record WhatIfStatus(
    String state,
    @Nullable String startedAt,
    @Nullable String endedAt,
    @Nullable String candidate,
    long position,
    long upTo,
    long decided,
    @Nullable WhatIfReport report,
    @Nullable String note,
    @Nullable String error) {
  public static final WhatIfStatus NONE =
      new WhatIfStatus("none", null, null, null, 0, 0, 0, null, null, null);
}
