package gatebook.events;

import gatebook.events.call.Ruling;
import java.util.List;
import java.util.UUID;

/**
 * The call was admitted by every gate that decided on it; {@code rulings} is empty for a call that
 * no gate governs.
 */
@Named(name = "CallAdmitted", version = "1")
public record CallAdmitted(UUID callId, String rulesHash, List<Ruling> rulings)
    implements CallEvent {

  public CallAdmitted {
    rulings = List.copyOf(rulings);
  }
}
