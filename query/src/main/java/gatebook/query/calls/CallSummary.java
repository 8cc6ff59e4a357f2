package gatebook.query.calls;

import gatebook.events.ApprovalGranted;
import gatebook.events.ApprovalRejected;
import gatebook.events.ApprovalRequested;
import gatebook.events.ApprovalTimedOut;
import gatebook.events.CallAbandoned;
import gatebook.events.CallAdmitted;
import gatebook.events.CallAnswered;
import gatebook.events.CallEvent;
import gatebook.events.CallForwarded;
import gatebook.events.CallOrphaned;
import gatebook.events.CallReceived;
import gatebook.events.CallerReplied;
import gatebook.events.ErrorTranslated;
import gatebook.events.GateDenied;
import gatebook.events.MessageRefused;
import gatebook.events.ResultKept;
import gatebook.events.SourceAsked;
import gatebook.events.TaskCreated;
import gatebook.events.call.Dialect;
import gatebook.events.call.Gate;
import gatebook.events.fault.Misdirected;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What a call's events, told in their order, come to. */
final class CallSummary {
  private final UUID callId;
  private CallStatus callStatus = CallStatus.HELD;
  private @Nullable String correlationId;
  private @Nullable Dialect dialect;
  private boolean wantsAnswer = true;
  private @Nullable String method;
  private @Nullable String target;
  private @Nullable String principal;
  private @Nullable Gate gate;
  private @Nullable Integer code;
  private @Nullable String fault;
  private @Nullable String receivedAt;
  private @Nullable Long durationMillis;

  CallSummary(UUID callId) {
    this.callId = callId;
  }

  /** Goes on where somebody left it. */
  CallSummary(CallView soFar, boolean wantsAnswer) {
    this.callId = soFar.callId();
    this.callStatus = soFar.status();
    this.correlationId = soFar.correlationId();
    this.dialect = soFar.dialect();
    this.wantsAnswer = wantsAnswer;
    this.method = soFar.method();
    this.target = soFar.target();
    this.principal = soFar.principal();
    this.gate = soFar.gate();
    this.code = soFar.code();
    this.fault = soFar.fault();
    this.receivedAt = soFar.receivedAt();
    this.durationMillis = soFar.durationMillis();
  }

  boolean wantsAnswer() {
    return wantsAnswer;
  }

  /**
   * Whether somebody may still have to be told something. A notification is open only from its
   * forwarding on: before, there is nothing whose end somebody would have to know.
   */
  boolean isOpen() {
    return callStatus == CallStatus.FORWARDED || (callStatus == CallStatus.HELD && wantsAnswer);
  }

  CallView told(List<CallView.Step> events) {
    return new CallView(
        callId,
        correlationId,
        dialect,
        method,
        target,
        principal,
        callStatus,
        gate,
        code,
        fault,
        receivedAt,
        durationMillis,
        events);
  }

  void tell(CallEvent event, String at) {
    switch (event) {
      case CallReceived received -> received(received);
      case GateDenied denied -> denied(denied);
      case ApprovalRequested _ -> callStatus = CallStatus.HELD;
      case CallForwarded _ -> callStatus = CallStatus.FORWARDED;
      case CallAnswered answered -> ended(CallStatus.ANSWERED, answered.totalMillis());
      case ErrorTranslated translated -> translated(translated);
      case MessageRefused refused -> refused(refused, at);
      case CallAbandoned abandoned -> ended(CallStatus.ABANDONED, abandoned.totalMillis());
      case CallOrphaned _ -> callStatus = CallStatus.ORPHANED;
      case CallAdmitted _ -> admitted();
      case ApprovalGranted _,
          ApprovalRejected _,
          ApprovalTimedOut _,
          TaskCreated _,
          ResultKept _,
          SourceAsked _,
          CallerReplied _ -> {
        // what comes of it is told by the event after it
      }
    }
  }

  /** Takes in what an event says by its name alone; false when more of it matters. */
  boolean tellByName(String name) {
    return switch (name) {
      case CallEvents.FORWARDED -> {
        callStatus = CallStatus.FORWARDED;
        yield true;
      }
      case CallEvents.ADMITTED -> {
        admitted();
        yield true;
      }
      default -> false;
    };
  }

  private void received(CallReceived call) {
    wantsAnswer = call.rpcId() != null;
    correlationId = call.correlationId();
    dialect = call.dialect();
    method = call.method();
    target = call.target();
    principal = call.principal().name();
    receivedAt = call.receivedAt().toString();
  }

  /** A notification that goes no further is done: there is no answer that could be recorded. */
  private void admitted() {
    if (!wantsAnswer) {
      callStatus = CallStatus.ANSWERED;
    }
  }

  private void denied(GateDenied denied) {
    callStatus = CallStatus.DENIED;
    gate = denied.gate();
  }

  private void translated(ErrorTranslated translated) {
    gate = translated.fault().gate().orElse(gate);
    code = translated.told().code();
    fault = translated.fault().kind();
    ended(statusOf(translated), translated.totalMillis());
  }

  private CallStatus statusOf(ErrorTranslated translated) {
    if (gate != null) {
      return CallStatus.DENIED;
    }
    return translated.fault() instanceof Misdirected.RateLimited(Misdirected.Limit limit, _)
            && limit == Misdirected.Limit.RATE
        ? CallStatus.REFUSED
        : CallStatus.FAILED;
  }

  private void refused(MessageRefused refused, String at) {
    callStatus = CallStatus.REFUSED;
    correlationId = refused.correlationId();
    dialect = refused.dialect();
    principal = refused.principal();
    code = refused.told().code();
    fault = refused.fault().kind();
    receivedAt = at;
  }

  private void ended(CallStatus as, long totalMillis) {
    callStatus = as;
    durationMillis = totalMillis;
  }
}
