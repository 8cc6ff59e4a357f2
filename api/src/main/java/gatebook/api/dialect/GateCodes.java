package gatebook.api.dialect;

import gatebook.events.fault.Denied;
import gatebook.events.fault.Misdirected.RateLimited;
import gatebook.events.fault.PublicFault;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.ConfigurationError;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import gatebook.events.fault.TaskFault.TaskCancelled;
import gatebook.events.fault.TaskFault.TaskExpired;
import gatebook.events.fault.TaskFault.TaskNotFound;
import gatebook.events.fault.UpstreamFault;
import gatebook.events.fault.Withheld;

/** The codes of the errors that gates add to a protocol, for all vocabularies that have them. */
final class GateCodes {

  private GateCodes() {}

  static ErrorWords of(Denied fault) {
    int code =
        switch (fault) {
          case Denied.PolicyDenied _ -> -32003;
          case Denied.ApprovalRejected _ -> -32007;
          case Denied.ApprovalTimeout _ -> -32008;
          case Denied.GovernanceRuleDenied _ -> -32014;
          case Denied.ToolNotExposed _ -> -32015;
          case Denied.WorkflowNotFound _ -> -32017;
        };
    return words(code, fault.shown());
  }

  static ErrorWords of(Withheld fault) {
    int code =
        switch (fault) {
          case Withheld.InspectionFailed _ -> -32010;
          case Withheld.PolicyDrift _ -> -32011;
          case Withheld.TransformDrift _ -> -32012;
        };
    return words(code, fault.shown());
  }

  static ErrorWords of(UpstreamFault fault) {
    int code =
        switch (fault) {
          case UpstreamFault.UpstreamConnectionFailed _ -> -32000;
          case UpstreamFault.UpstreamTimeout _ -> -32001;
          case UpstreamFault.UpstreamError _,
              UpstreamFault.InvalidAgentResponse _,
              UpstreamFault.ExecutorFailed _,
              UpstreamFault.CoordinatorError _ ->
              -32002;
        };
    return words(code, fault.shown());
  }

  static ErrorWords of(TaskNotFound fault) {
    return words(-32004, fault.shown());
  }

  static ErrorWords of(TaskExpired fault) {
    return words(-32005, fault.shown());
  }

  static ErrorWords of(TaskCancelled fault) {
    return words(-32006, fault.shown());
  }

  static ErrorWords of(RateLimited fault) {
    PublicFault publicFault = fault.shown();
    return words(-32009, publicFault).put("retry_after", publicFault.retryAfterSeconds());
  }

  static ErrorWords of(ServiceUnavailable fault) {
    PublicFault publicFault = fault.shown();
    boolean isOverload = Cause.OVERLOADED.word().equals(publicFault.reason());
    return words(-32013, publicFault)
        .put("retry_after", publicFault.retryAfterSeconds())
        .put("reason", isOverload ? publicFault.reason() : null);
  }

  static ErrorWords of(ConfigurationError fault) {
    return words(-32016, fault.shown());
  }

  private static ErrorWords words(int code, PublicFault publicFault) {
    return ErrorWords.of(code, publicFault.sentence())
        .put(publicFault.named())
        .put("details", publicFault.details());
  }
}
