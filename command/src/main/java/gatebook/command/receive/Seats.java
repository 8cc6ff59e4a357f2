package gatebook.command.receive;

import gatebook.command.rules.Limits;
import java.util.UUID;

/** Room for calls that wait for a person. Who took a seat gives it back, whatever becomes of it. */
public interface Seats {

  /** Takes a seat for a call that is about to be held; takes none when there is no room. */
  Seating take(UUID callId, String principal, Limits limits);

  /** What asking for a seat comes to. */
  enum Seating {
    TAKEN,
    /** As many calls of this principal wait as may. */
    PRINCIPAL_FULL,
    /** As many calls wait as may. */
    FULL
  }
}
