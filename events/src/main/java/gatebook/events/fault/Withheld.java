package gatebook.events.fault;

import gatebook.events.call.Gate;
import org.jspecify.annotations.Nullable;

/** A withheld call: approved, but not forwarded. */
public sealed interface Withheld extends ClientFault {

  /** An inspector refused the call. */
  record InspectionFailed(String inspector, String reason) implements Withheld {}

  /**
   * Under the present rules, the gate {@code changedAt} decides differently than when the call was
   * approved.
   */
  record PolicyDrift(
      String tool,
      @Nullable String taskId,
      Gate changedAt,
      String rulesHashThen,
      String rulesHashNow)
      implements Withheld {}

  /** The call to forward differs from the one that was approved. */
  record TransformDrift(String tool, @Nullable String taskId) implements Withheld {}
}
