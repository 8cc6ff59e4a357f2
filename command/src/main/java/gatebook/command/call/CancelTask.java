package gatebook.command.call;

/** Cancel a task on behalf of its caller, unless it has ended. */
public record CancelTask(GetTask asking) {}
