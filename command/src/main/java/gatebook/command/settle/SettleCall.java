package gatebook.command.settle;

import gatebook.command.Tongue;
import gatebook.command.rules.Rules;
import gatebook.events.CallAnswered;
import gatebook.events.fault.Fault;
import java.time.Instant;
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
    Tongue tongue,
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
    /** {@code rules} say how much of the result's text is kept. */
    record Result(CallAnswered.Outcome outcome, String text, Rules rules) implements Ending {}

    record Failure(Fault fault) implements Ending {}
  }
}
