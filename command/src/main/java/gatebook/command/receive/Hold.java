package gatebook.command.receive;

import gatebook.command.gate.Asked;
import gatebook.command.rules.Workflow;
import gatebook.events.call.Digest;
import gatebook.events.call.Ruling;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * A call that waits for a person, with all that deciding it again takes.
 *
 * @param bound digests what the answer is good for
 * @param rulings of the gates before the person
 * @param heldUntil when the caller is told that it took too long
 */
public record Hold(
    ReceiveCall call,
    Asked asked,
    UUID approvalId,
    Workflow workflow,
    Digest bound,
    List<Ruling> rulings,
    Instant deadline,
    Instant heldUntil) {
  public Hold {
    rulings = List.copyOf(rulings);
  }
}
