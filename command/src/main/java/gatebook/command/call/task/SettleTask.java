package gatebook.command.call.task;

import gatebook.command.call.CallCommand;
import gatebook.command.call.SettleCall;
import gatebook.command.call.SettleOutcome;
import java.util.UUID;

/** Settles a task, unless it has ended: decides how it ended, and keeps its result. */
public record SettleTask(String taskId, SettleCall call) implements CallCommand {

  @Override
  public UUID callId() {
    return call.callId();
  }

  /** The outcome of the command. */
  public sealed interface Outcome {
    record Settled(SettleOutcome outcome) implements Outcome {}

    /** The task has another ending, which its caller may have seen. */
    record EndedBefore() implements Outcome {}
  }
}
