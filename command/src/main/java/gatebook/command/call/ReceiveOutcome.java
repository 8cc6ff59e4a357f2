package gatebook.command.call;

import gatebook.command.rules.Source;
import gatebook.events.TaskCreated;
import gatebook.events.call.DenialReason;
import gatebook.events.call.ErrorResponse;
import gatebook.events.fault.Fault;
import org.jspecify.annotations.Nullable;

/** The outcome of receiving a call. */
public sealed interface ReceiveOutcome {

  /** Whether the call waits for an approval. */
  default boolean isHeld() {
    return this instanceof Held || this instanceof Deferred;
  }

  /** Whether it goes to its source now. */
  default boolean isForwarded() {
    return this instanceof Forwarded || this instanceof Started;
  }

  /** Whether its message has the id of an earlier one with other content. */
  default boolean usesIdAgain() {
    return switch (this) {
      case Started started -> started.usesIdAgain;
      case Deferred deferred -> deferred.usesIdAgain;
      case Forwarded _, Held _, Duplicate _, Admitted _, NoRoom _, Refused _ -> false;
    };
  }

  /** It is forwarded to the source now. */
  record Forwarded(Source source) implements ReceiveOutcome {}

  /** It is forwarded to the source now, and its caller gets the outcome by a task. */
  record Started(ReceiveCall call, Source source, TaskCreated task, boolean usesIdAgain)
      implements ReceiveOutcome {}

  /** It waits for an approval, and its caller for the response. */
  record Held(HeldCall heldCall) implements ReceiveOutcome {}

  /** It waits for an approval, and its caller gets the outcome later. */
  record Deferred(HeldCall heldCall, TaskCreated task, boolean usesIdAgain)
      implements ReceiveOutcome {}

  /** Its message is a duplicate of an earlier one, which has a task. */
  record Duplicate(TaskId task) implements ReceiveOutcome {}

  /** The gateway answers it. */
  record Admitted() implements ReceiveOutcome {}

  /**
   * Nothing is recorded: it would wait for an approval, and as many calls do as may. It can be
   * received again; only a call for a task of a tree is.
   */
  record NoRoom() implements ReceiveOutcome {}

  /** It ends here; {@code denialReason} is why a gate denied it, absent when none did. */
  record Refused(Fault fault, ErrorResponse errorResponse, @Nullable DenialReason denialReason)
      implements ReceiveOutcome {}
}
