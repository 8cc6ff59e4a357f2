package gatebook.command.call;

import gatebook.command.rules.Rules;
import gatebook.events.CallAnswered;
import gatebook.events.fault.Fault;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Settles a call: decides how it ended.
 *
 * @param attempts how often it was sent upstream; none when the gateway answers it
 * @param upstreamMillis how long upstream took, absent when it was not asked
 */
public record SettleCall(
    UUID callId,
    String correlationId,
    DialectVersion dialectVersion,
    Instant receivedAt,
    @Nullable String target,
    Ending ending,
    int attempts,
    @Nullable Long upstreamMillis) {

  /** The same command with another ending. */
  public SettleCall withEnding(Ending other) {
    return new SettleCall(
        callId, correlationId, dialectVersion, receivedAt, target, other, attempts, upstreamMillis);
  }

  /** The ending of a call. */
  public sealed interface Ending {
    /**
     * A result.
     *
     * @param missing the sources whose part is missing, in a result of several
     * @param rules decide how much of the result's text is kept
     */
    record Result(CallAnswered.Outcome outcome, String text, List<String> missing, Rules rules)
        implements Ending {
      public Result {
        missing = List.copyOf(missing);
      }

      /** A result without missing parts. */
      public Result(CallAnswered.Outcome outcome, String text, Rules rules) {
        this(outcome, text, List.of(), rules);
      }
    }

    /**
     * An error.
     *
     * @param firstCallId the call that ended with it, when this one only asks how that one ended
     */
    record Failure(Fault fault, @Nullable UUID firstCallId) implements Ending {
      public Failure(Fault fault) {
        this(fault, null);
      }
    }
  }
}
