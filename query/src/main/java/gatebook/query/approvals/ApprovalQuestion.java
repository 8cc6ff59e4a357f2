package gatebook.query.approvals;

import com.fasterxml.jackson.annotation.JsonValue;
import gatebook.events.call.KeptContent;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An approval question, which a person decides: may this call continue?
 *
 * @param tool the target of the call
 * @param arguments the recorded part of the arguments, before the workflow's own redaction
 * @param due the last time at which a decision has an effect
 * @param by the operator who decided; absent before a decision, and after one by a workflow
 */
public record ApprovalQuestion(
    UUID callId,
    UUID approvalId,
    @Nullable String taskId,
    String correlationId,
    @Nullable String tool,
    String principal,
    @Nullable KeptContent arguments,
    String workflow,
    Instant requestedAt,
    Instant deadline,
    Instant due,
    ApprovalStatus status,
    @Nullable String by,
    @Nullable String reason,
    @Nullable Instant decidedAt) {

  /** The status of a question. */
  public enum ApprovalStatus {
    WAITING("waiting"),
    GRANTED("granted"),
    REJECTED("rejected"),
    TIMED_OUT("timed-out"),
    /** The call ended before a decision. */
    CALL_ENDED("call-ended");

    private final String word;

    ApprovalStatus(String word) {
      this.word = word;
    }

    /** The name used outside this program; it never changes. */
    @JsonValue
    public String word() {
      return word;
    }
  }
}
