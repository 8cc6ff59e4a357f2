package gatebook.command.call;

import gatebook.command.rules.Rules;
import java.time.Instant;

/**
 * Decide what a caller is told of his task.
 *
 * @param principal who asks, by name
 */
public record GetTask(TaskId task, String principal, Rules rules, Instant at) {}
