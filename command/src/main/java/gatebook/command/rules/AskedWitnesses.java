package gatebook.command.rules;

import gatebook.events.journal.witness.WitnessPolicy;
import java.time.Duration;

/**
 * The witnesses that are asked to cosign the checkpoints of this log.
 *
 * @param interval after which they are asked again
 */
public record AskedWitnesses(WitnessPolicy policy, Duration interval) {
  public static final Duration INTERVAL = Duration.ofMinutes(1);
}
