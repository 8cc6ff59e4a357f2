package gatebook.events;

import com.fasterxml.jackson.annotation.JsonValue;
import gatebook.events.call.Digest;
import gatebook.events.call.ObservedVerdict;
import gatebook.events.call.Ruling;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An approval was requested from a person, and the call is held. The decision is valid for exactly
 * what {@code bound} digests: dialect, source, target, principal, method and params. At {@code
 * heldUntil} a waiting caller gets a timeout error; it is absent for a task.
 *
 * @param logicVersion of the gates' logic; absent in events from before it was recorded
 * @param observed the verdict of a candidate; absent where none is observed
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
    List<Ruling> rulings,
    @Nullable Integer logicVersion,
    @Nullable ObservedVerdict observed)
    implements ApprovalEvent {

  public ApprovalRequested {
    rulings = List.copyOf(rulings);
  }

  /** Requested after gates whose version is not known. */
  public ApprovalRequested(
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
      List<Ruling> rulings) {
    this(
        callId,
        approvalId,
        taskId,
        workflow,
        destination,
        bound,
        requestedAt,
        deadline,
        heldUntil,
        onTimeout,
        rulesHash,
        rulings,
        null,
        null);
  }

  /**
   * When the approval is due: at its deadline, or earlier when the caller stops waiting, since an
   * approval after that would not help.
   */
  public Instant due() {
    return heldUntil != null && heldUntil.isBefore(deadline) ? heldUntil : deadline;
  }

  /** The decision when no person decides before the deadline. */
  public enum OnTimeout {
    DENY("deny"),
    APPROVE("approve");

    private final String word;

    OnTimeout(String word) {
      this.word = word;
    }

    /** The name used outside this program; it never changes. */
    @JsonValue
    public String word() {
      return word;
    }
  }
}
