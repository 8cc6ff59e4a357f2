package gatebook.events.fault;

import gatebook.events.call.Gate;
import org.jspecify.annotations.Nullable;

/** An approved call that was not forwarded after all. */
public sealed interface Withheld extends ClientFault {

  /** An inspector refused the call. */
  record InspectionFailed(String inspector, String reason) implements Withheld {}

  /**
   * Under the rules of now, {@code changedAt} decides otherwise than when the call was approved.
   */
  record PolicyDrift(
      String tool,
      @Nullable String taskId,
      Gate changedAt,
      String rulesHashThen,
      String rulesHashNow)
      implements Withheld {}

  /** What is to be forwarded is not what was approved. */
  record TransformDrift(String tool, @Nullable String taskId) implements Withheld {}
}
