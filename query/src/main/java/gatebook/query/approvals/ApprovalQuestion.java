package gatebook.query.approvals;

import com.fasterxml.jackson.annotation.JsonValue;
import gatebook.events.call.KeptContent;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A question put to a person: may this call go on?
 *
 * @param tool what the call acts on
 * @param arguments what is kept of them, before the workflow's own redaction
 * @param due when it is too late to answer
 * @param by who decided; absent while nobody did, and when a workflow did
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
    Standing standing,
    @Nullable String by,
    @Nullable String reason,
    @Nullable Instant decidedAt) {

  /** Where a question stands. */
  public enum Standing {
    WAITING("waiting"),
    GRANTED("granted"),
    REJECTED("rejected"),
    TIMED_OUT("timed-out"),
    /** The call ended before anybody decided. */
    CALL_ENDED("call-ended");

    private final String word;

    Standing(String word) {
      this.word = word;
    }

    /** The name outside this program; it never changes. */
    @JsonValue
    public String word() {
      return word;
    }
  }
}
