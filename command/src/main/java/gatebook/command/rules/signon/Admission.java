package gatebook.command.rules.signon;

import gatebook.events.call.Principal;
import gatebook.events.fault.Misdirected.Refusal;

/** Whether the holder of a valid token may call. */
public sealed interface Admission {

  record Admitted(Principal principal) implements Admission {}

  record Refused(Refusal refusal) implements Admission {}
}
