package gatebook.query.approvals;

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
import gatebook.query.approvals.ApprovalQuestion.Standing;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a call's events, told in their order, say about what a person was asked. */
final class QuestionHistory {
  private @Nullable CallReceived received;
  private @Nullable ApprovalRequested asked;
  private Standing standing = Standing.WAITING;
  private @Nullable String by;
  private @Nullable String reason;
  private @Nullable Instant decidedAt;

  void tell(CallEvent event) {
    switch (event) {
      case CallReceived call -> received = call;
      case ApprovalRequested question -> {
        asked = question;
        decided(Standing.WAITING, null, null, null);
      }
      case ApprovalGranted yes ->
          decided(Standing.GRANTED, yes.by(), yes.reason(), yes.decidedAt());
      case ApprovalRejected no -> decided(Standing.REJECTED, no.by(), no.reason(), no.decidedAt());
      case ApprovalTimedOut late -> decided(Standing.TIMED_OUT, null, null, late.deadline());
      case CallAnswered _, ErrorTranslated _, CallAbandoned _, CallOrphaned _ -> ended();
      case CallAdmitted _,
          GateDenied _,
          CallForwarded _,
          TaskCreated _,
          ResultKept _,
          SourceAsked _,
          CallerReplied _,
          MessageRefused _ -> {
        // says nothing of what was asked
      }
    }
  }

  Optional<ApprovalQuestion> question() {
    return received == null || asked == null
        ? Optional.empty()
        : Optional.of(question(received, asked));
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
        due(question),
        standing,
        by,
        reason,
        decidedAt);
  }

  /** A caller who stops waiting earlier is helped by no later answer. */
  private static Instant due(ApprovalRequested question) {
    Instant heldUntil = question.heldUntil();
    return heldUntil != null && heldUntil.isBefore(question.deadline())
        ? heldUntil
        : question.deadline();
  }

  private void ended() {
    if (standing == Standing.WAITING) {
      standing = Standing.CALL_ENDED;
    }
  }

  private void decided(
      Standing newStanding,
      @Nullable String newBy,
      @Nullable String newReason,
      @Nullable Instant newDecidedAt) {
    standing = newStanding;
    by = newBy;
    reason = newReason;
    decidedAt = newDecidedAt;
  }
}
