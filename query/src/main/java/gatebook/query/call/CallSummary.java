package gatebook.query.call;

import gatebook.events.AgentTaskCreated;
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

/** The summary of a call, computed from its events in order. */
public final class CallSummary {
  private final UUID callId;
  private CallStatus status = CallStatus.HELD;
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

  public CallSummary(UUID callId) {
    this.callId = callId;
  }

  /** Continues a stored summary. */
  public CallSummary(CallView soFar, boolean wantsAnswer) {
    this.callId = soFar.callId();
    this.status = soFar.status();
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

  public CallStatus status() {
    return status;
  }

  public boolean wantsAnswer() {
    return wantsAnswer;
  }

  /**
   * Whether the caller may still get a response. A notification counts as open only after it was
   * forwarded: before, its end has no effect.
   */
  public boolean isOpen() {
    return status == CallStatus.FORWARDED || (status == CallStatus.HELD && wantsAnswer);
  }

  public CallView toView(List<CallView.Step> events) {
    return new CallView(
        callId,
        correlationId,
        dialect,
        method,
        target,
        principal,
        status,
        gate,
        code,
        fault,
        receivedAt,
        durationMillis,
        events);
  }

  public void apply(CallEvent event, String at) {
    switch (event) {
      case CallReceived received -> received(received);
      case GateDenied denied -> denied(denied);
      case ApprovalRequested _ -> status = CallStatus.HELD;
      case CallForwarded _ -> forward();
      case CallAnswered answered -> end(CallStatus.ANSWERED, answered.totalMillis());
      case ErrorTranslated translated -> translated(translated);
      case MessageRefused refused -> refused(refused, at);
      case CallAbandoned abandoned -> end(CallStatus.ABANDONED, abandoned.totalMillis());
      case CallOrphaned _ -> status = CallStatus.ORPHANED;
      case CallAdmitted _ -> admit();
      case ApprovalGranted _,
          ApprovalRejected _,
          ApprovalTimedOut _,
          TaskCreated _,
          ResultKept _,
          AgentTaskCreated _,
          SourceAsked _,
          CallerReplied _ -> {
        // the next event has the effect
      }
    }
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

  public void forward() {
    status = CallStatus.FORWARDED;
  }

  /** A notification that is not forwarded is done: there is no response that could be recorded. */
  public void admit() {
    if (!wantsAnswer) {
      status = CallStatus.ANSWERED;
    }
  }

  private void denied(GateDenied denied) {
    status = CallStatus.DENIED;
    gate = denied.gate();
  }

  private void translated(ErrorTranslated translated) {
    gate = translated.fault().gate().orElse(gate);
    code = translated.told().code();
    fault = translated.fault().kind();
    end(statusOf(translated), translated.totalMillis());
  }

  private CallStatus statusOf(ErrorTranslated translated) {
    if (gate != null) {
      return CallStatus.DENIED;
    }
    return translated.fault() instanceof Misdirected.RateLimited(Misdirected.Limit limit, _)
        ? statusOf(limit)
        : CallStatus.FAILED;
  }

  private static CallStatus statusOf(Misdirected.Limit limit) {
    return switch (limit) {
      case RATE, CONCURRENCY, BUDGET -> CallStatus.REFUSED;
      case HELD_CALLS, UPSTREAM -> CallStatus.FAILED;
    };
  }

  private void refused(MessageRefused refused, String at) {
    status = CallStatus.REFUSED;
    correlationId = refused.correlationId();
    dialect = refused.dialect();
    principal = refused.principal();
    code = refused.told().code();
    fault = refused.fault().kind();
    receivedAt = at;
  }

  private void end(CallStatus newStatus, long totalMillis) {
    status = newStatus;
    durationMillis = totalMillis;
  }
}
