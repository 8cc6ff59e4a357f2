package gatebook.command.call;

import gatebook.command.rules.Rules;
import java.time.Instant;

/**
 * Gets the status of a task for its caller.
 *
 * @param principal name of the caller that asks
 */
public record GetTask(TaskId task, String principal, Rules rules, Instant at) {}
