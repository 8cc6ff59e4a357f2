package gatebook.command.call;

import gatebook.command.rules.GatewayLimits;
import java.util.UUID;

/** Room for calls that wait for a person. Who took a seat gives it back, whatever becomes of it. */
public interface HoldQuota {

  /** Takes a seat for a call that is about to be held; takes none when there is no room. */
  Seating take(UUID callId, String principal, GatewayLimits gatewayLimits);

  /** What asking for a seat comes to. */
  enum Seating {
    TAKEN,
    /** As many calls of this principal wait as may. */
    PRINCIPAL_FULL,
    /** As many calls wait as may. */
    FULL
  }
}
