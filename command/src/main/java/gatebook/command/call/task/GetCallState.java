package gatebook.command.call.task;

import gatebook.command.call.CallQuery;
import gatebook.events.fault.Fault;
import java.util.Optional;
import java.util.UUID;

/** Gets the state of a call that was made for a task of a tree: how far it came. */
public record GetCallState(UUID callId) implements CallQuery {

  /**
   * What was found.
   *
   * @param isMade whether it was made: the process that was to make it may have died before
   * @param taskId by which its outcome can be got, now or later; empty when there is none to get
   * @param isForwarded whether it may have taken effect
   * @param fault with which it ended
   */
  public record Result(
      boolean isMade, Optional<String> taskId, boolean isForwarded, Optional<Fault> fault) {}
}
