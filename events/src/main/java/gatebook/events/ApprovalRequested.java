package gatebook.events;

import com.fasterxml.jackson.annotation.JsonValue;
import gatebook.events.call.Digest;
import gatebook.events.call.Ruling;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A person was asked, and the call is held. The answer is good for exactly what {@code bound}
 * digests: dialect, source, target, principal, method and params. {@code heldUntil} is when a
 * caller who waits is told that it took too long; it is absent for a task.
 */
@Named(name = "ApprovalRequested", version = "1")
public record ApprovalRequested(
    UUID callId,
    UUID approvalId,
    @Nullable String taskId,
    String workflow,
    String destination,
    Digest bound,
    Instant requestedAt,
    Instant deadline,
    @Nullable Instant heldUntil,
    OnTimeout onTimeout,
    String rulesHash,
    List<Ruling> rulings)
    implements ApprovalEvent {

  public ApprovalRequested {
    rulings = List.copyOf(rulings);
  }

  /** What becomes of a call when nobody decides before the deadline. */
  public enum OnTimeout {
    DENY("deny"),
    APPROVE("approve");

    private final String word;

    OnTimeout(String word) {
      this.word = word;
    }

    /** The name outside this program; it never changes. */
    @JsonValue
    public String word() {
      return word;
    }
  }
}
