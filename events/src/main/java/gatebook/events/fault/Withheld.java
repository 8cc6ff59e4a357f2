package gatebook.events.fault;

import gatebook.events.call.Erasable;
import gatebook.events.call.Gate;
import org.jspecify.annotations.Nullable;

/** A withheld call: approved, but not forwarded. */
public sealed interface Withheld extends ClientFault {

  /** An inspector refused the call. */
  record InspectionFailed(
      @LogField("inspector") String inspector,
      @Erasable @FromCaller @LogField("reason") String reason)
      implements Withheld {
    @Override
    public PublicFault shown() {
      return PublicFault.of("Inspection failed").details(inspector);
    }
  }

  /**
   * Under the present rules, the gate {@code changedAt} decides differently than when the call was
   * approved.
   */
  record PolicyDrift(
      @FromCaller @LogField(LogField.TARGET) String tool,
      @LogField(LogField.TASK_ID) @Nullable String taskId,
      @LogField("changed_at") Gate changedAt,
      @LogField("rules_then") String rulesHashThen,
      @LogField("rules_now") String rulesHashNow)
      implements Withheld {
    @Override
    public PublicFault shown() {
      return PublicFault.of("Policy changed since the request was approved: ask again");
    }
  }

  /** The call to forward differs from the one that was approved. */
  record TransformDrift(
      @FromCaller @LogField(LogField.TARGET) String tool,
      @LogField(LogField.TASK_ID) @Nullable String taskId)
      implements Withheld {
    @Override
    public PublicFault shown() {
      return PublicFault.of("Request is not the one that approval was asked for: ask again");
    }
  }
}
