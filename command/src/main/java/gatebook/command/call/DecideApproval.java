package gatebook.command.call;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.command.call.CallState.End;
import gatebook.command.redact.Scrubber;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Decide what a person is asked about a call.
 *
 * @param operator who decides, by name
 * @param at when they did; a question has a deadline
 */
public record DecideApproval(
    UUID callId, String operator, boolean approved, @Nullable String reason, Instant at) {

  /** How long a reason may be, in UTF-8. */
  public static final int REASON_BYTES_MAX = 1_024;

  /** How long a name may be, in UTF-8. */
  public static final int OPERATOR_BYTES_MAX = 256;

  public DecideApproval {
    if (longer(operator, OPERATOR_BYTES_MAX)) {
      throw new IllegalArgumentException(
          "an operator's name has at most %d bytes".formatted(OPERATOR_BYTES_MAX));
    }
    if (reason != null && longer(reason, REASON_BYTES_MAX)) {
      throw new IllegalArgumentException(
          "a reason has at most %d bytes".formatted(REASON_BYTES_MAX));
    }
  }

  /** The same with a reason that may be kept. */
  public DecideApproval scrubbed(Scrubber scrubber) {
    return reason == null
        ? this
        : new DecideApproval(
            callId, operator, approved, Scrubber.cut(scrubber.scrub(reason), REASON_BYTES_MAX), at);
  }

  private static boolean longer(String text, int bytesMax) {
    return text.length() > bytesMax || text.getBytes(UTF_8).length > bytesMax;
  }

  /** What deciding ends in. */
  public sealed interface Outcome {
    record Granted() implements Outcome {}

    record Rejected() implements Outcome {}

    /**
     * It was decided before, and that stands.
     *
     * @param by absent when nobody decided in time and the workflow said yes
     */
    record AlreadyDecided(boolean approved, @Nullable String by, Instant at) implements Outcome {}

    /** Nobody may decide any more since {@code deadline}. */
    record TooLate(Instant deadline) implements Outcome {}

    /** Nobody was asked about such a call. */
    record NoSuchApproval() implements Outcome {}

    /** The call ended while somebody was being asked. */
    record CallerGone(End end) implements Outcome {}
  }
}
