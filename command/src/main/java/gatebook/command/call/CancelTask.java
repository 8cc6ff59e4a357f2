package gatebook.command.call;

/** Cancels a task on behalf of its caller, unless it has ended. */
public record CancelTask(GetTask lookup) {}
