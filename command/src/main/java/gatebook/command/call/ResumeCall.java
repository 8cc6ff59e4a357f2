package gatebook.command.call;

import gatebook.command.rules.Rules;
import java.time.Instant;

/**
 * Decide whether a call that waits for a person goes on now.
 *
 * @param rules those of this moment, which need not be those under which it was held
 */
public record ResumeCall(HeldCall hold, Rules rules, Instant at) {}
