package gatebook.command.call;

import gatebook.command.rules.Rules;
import gatebook.events.CallAnswered;
import gatebook.events.fault.Fault;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Decide how a call ended.
 *
 * @param attempts how often it went upstream; none when it is answered here
 * @param upstreamMillis how long upstream took, absent when it was not asked
 */
public record SettleCall(
    UUID callId,
    String correlationId,
    DialectVersion tongue,
    Instant receivedAt,
    @Nullable String target,
    Ending ending,
    int attempts,
    @Nullable Long upstreamMillis) {

  /** The same call, ended otherwise. */
  public SettleCall with(Ending other) {
    return new SettleCall(
        callId, correlationId, tongue, receivedAt, target, other, attempts, upstreamMillis);
  }

  /** What came of the call. */
  public sealed interface Ending {
    /**
     * A result.
     *
     * @param missing the sources that a result of several lacks
     * @param rules say how much of the result's text is kept
     */
    record Result(CallAnswered.Outcome outcome, String text, List<String> missing, Rules rules)
        implements Ending {
      public Result {
        missing = List.copyOf(missing);
      }

      /** A result that lacks nothing. */
      public Result(CallAnswered.Outcome outcome, String text, Rules rules) {
        this(outcome, text, List.of(), rules);
      }
    }

    /**
     * An error.
     *
     * @param firstToldTo the call that ended with it, when this one only asks how that one ended
     */
    record Failure(Fault fault, @Nullable UUID firstToldTo) implements Ending {
      public Failure(Fault fault) {
        this(fault, null);
      }
    }
  }
}
