package gatebook.command.call;

import gatebook.command.rules.Rules;
import java.time.Instant;

/**
 * Resumes a held call, if it may go on now.
 *
 * @param rules those in force now, which may differ from those under which it was held
 */
public record ResumeCall(HeldCall heldCall, Rules rules, Instant at) {}
