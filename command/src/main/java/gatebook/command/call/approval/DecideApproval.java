package gatebook.command.call.approval;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.command.call.CallCommand;
import gatebook.command.call.CallState.End;
import gatebook.command.redact.Scrubber;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Decides an approval request: an operator approves or rejects a held call.
 *
 * @param operator name of the operator
 * @param at when the operator decided; a request has a deadline
 */
public record DecideApproval(
    UUID callId, String operator, boolean approved, @Nullable String reason, Instant at)
    implements CallCommand {

  /** The length limit of a reason, in bytes of UTF-8. */
  public static final int REASON_BYTES_MAX = 1_024;

  /** The length limit of an operator's name, in bytes of UTF-8. */
  public static final int OPERATOR_BYTES_MAX = 256;

  public DecideApproval {
    if (isLonger(operator, OPERATOR_BYTES_MAX)) {
      throw new IllegalArgumentException(
          "an operator's name has at most %d bytes".formatted(OPERATOR_BYTES_MAX));
    }
    if (reason != null && isLonger(reason, REASON_BYTES_MAX)) {
      throw new IllegalArgumentException(
          "a reason has at most %d bytes".formatted(REASON_BYTES_MAX));
    }
  }

  /** The same command with a reason that may be stored. */
  public DecideApproval scrubbed(Scrubber scrubber) {
    return reason == null
        ? this
        : new DecideApproval(
            callId,
            operator,
            approved,
            Scrubber.truncate(scrubber.scrub(reason), REASON_BYTES_MAX),
            at);
  }

  private static boolean isLonger(String text, int bytesMax) {
    return text.length() > bytesMax || text.getBytes(UTF_8).length > bytesMax;
  }

  /** The outcome of the command. */
  public sealed interface Outcome {
    record Granted() implements Outcome {}

    record Rejected() implements Outcome {}

    /**
     * An earlier decision stands.
     *
     * @param by absent when the deadline passed and the workflow approved the call
     */
    record AlreadyDecided(boolean approved, @Nullable String by, Instant at) implements Outcome {}

    /** The request was open until {@code deadline}. */
    record TooLate(Instant deadline) implements Outcome {}

    /** No approval was requested for such a call. */
    record NoSuchApproval() implements Outcome {}

    /** The call ended before the decision. */
    record CallerGone(End end) implements Outcome {}
  }
}
