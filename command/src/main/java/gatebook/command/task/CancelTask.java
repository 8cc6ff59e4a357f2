package gatebook.command.task;

/** Cancel a task on behalf of its caller, unless it has ended. */
public record CancelTask(AskAfterTask asking) {}
