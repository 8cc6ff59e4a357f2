package gatebook.events;

import gatebook.events.call.Ruling;
import java.util.List;
import java.util.UUID;

/**
 * Every gate that was asked let the call through; {@code rulings} is empty for what no gate
 * governs.
 */
@Named(name = "CallAdmitted", version = "1")
public record CallAdmitted(UUID callId, String rulesHash, List<Ruling> rulings)
    implements CallEvent {

  public CallAdmitted {
    rulings = List.copyOf(rulings);
  }
}
