package gatebook.query.approvals;

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
import gatebook.query.approvals.ApprovalQuestion.ApprovalStatus;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The history of the question about one call, computed from the call's events in order. */
final class QuestionHistory {
  private @Nullable CallReceived received;
  private @Nullable ApprovalRequested requested;
  private ApprovalStatus status = ApprovalStatus.WAITING;
  private @Nullable String by;
  private @Nullable String reason;
  private @Nullable Instant decidedAt;

  void apply(CallEvent event) {
    switch (event) {
      case CallReceived call -> received = call;
      case ApprovalRequested question -> {
        requested = question;
        setStatus(ApprovalStatus.WAITING, null, null, null);
      }
      case ApprovalGranted yes ->
          setStatus(ApprovalStatus.GRANTED, yes.by(), yes.reason(), yes.decidedAt());
      case ApprovalRejected no ->
          setStatus(ApprovalStatus.REJECTED, no.by(), no.reason(), no.decidedAt());
      case ApprovalTimedOut late ->
          setStatus(ApprovalStatus.TIMED_OUT, null, null, late.deadline());
      case CallAnswered _, ErrorTranslated _, CallAbandoned _, CallOrphaned _ -> endCall();
      case CallAdmitted _,
          GateDenied _,
          AgentTaskCreated _,
          CallForwarded _,
          TaskCreated _,
          ResultKept _,
          SourceAsked _,
          CallerReplied _,
          MessageRefused _ -> {
        // no effect on the question
      }
    }
  }

  Optional<ApprovalQuestion> question() {
    return received == null || requested == null
        ? Optional.empty()
        : Optional.of(question(received, requested));
  }

  private ApprovalQuestion question(CallReceived call, ApprovalRequested question) {
    return new ApprovalQuestion(
        call.callId(),
        question.approvalId(),
        question.taskId(),
        call.correlationId(),
        call.target(),
        call.principal().name(),
        call.arguments(),
        question.workflow(),
        question.requestedAt(),
        question.deadline(),
        question.due(),
        status,
        by,
        reason,
        decidedAt);
  }

  private void endCall() {
    if (status == ApprovalStatus.WAITING) {
      status = ApprovalStatus.CALL_ENDED;
    }
  }

  private void setStatus(
      ApprovalStatus newStatus,
      @Nullable String newBy,
      @Nullable String newReason,
      @Nullable Instant newDecidedAt) {
    status = newStatus;
    by = newBy;
    reason = newReason;
    decidedAt = newDecidedAt;
  }
}
