package gatebook.events;

import gatebook.events.call.ObservedVerdict;
import gatebook.events.call.Ruling;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The call was admitted by every gate that decided on it; {@code rulings} is empty for a call that
 * no gate governs.
 *
 * @param logicVersion of the gates' logic; absent in events from before it was recorded
 * @param observed the verdict of a candidate; absent where none is observed
 */
@Named(name = "CallAdmitted", version = "1")
public record CallAdmitted(
    UUID callId,
    String rulesHash,
    List<Ruling> rulings,
    @Nullable Integer logicVersion,
    @Nullable ObservedVerdict observed)
    implements CallEvent {

  public CallAdmitted {
    rulings = List.copyOf(rulings);
  }

  /** Admitted by gates whose version is not known. */
  public CallAdmitted(UUID callId, String rulesHash, List<Ruling> rulings) {
    this(callId, rulesHash, rulings, null, null);
  }
}
