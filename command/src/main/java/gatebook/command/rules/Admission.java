package gatebook.command.rules;

import gatebook.events.call.Principal;
import gatebook.events.fault.Misdirected.Refusal;

/** The admission of whoever shows a credential, or why there is none. */
public sealed interface Admission {

  record Admitted(Principal principal) implements Admission {}

  record Refused(Refusal refusal) implements Admission {}
}
