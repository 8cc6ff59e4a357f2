package gatebook.api.gateway.message;

import gatebook.api.gateway.message.DialectHandler.AnswerContext;
import gatebook.api.gateway.message.DialectHandler.DialectCall;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.command.call.CallOutcome;
import gatebook.command.call.ReceiveOutcome;
import gatebook.command.call.task.TaskStatus;
import gatebook.command.rules.Source;

/** Observes the calls of one dialect. */
public interface CallObserver {

  CallObserver NONE = new CallObserver() {};

  /** A step in the life of a task that is stored. */
  enum TaskStep {
    CREATION,
    END
  }

  /** Receives how a call was received, which is stored. */
  default void onReceived(DialectCall dialectCall, ReceiveOutcome outcome, String correlationId) {}

  /** Receives how a forwarded call ended, before its caller does. */
  default void onEnded(DialectCall dialectCall, Source source, String principal, Ended ended) {}

  /** Receives the task that a call became, before its caller does. */
  default void onTask(
      DialectCall dialectCall, TaskStatus.Known status, AnswerContext answerContext) {}

  /** Receives whether the creation or the end of a call's task was stored. */
  default void onTaskStored(TaskStep taskStep, boolean isStored) {}

  /** Receives the outcome of a call with this method, once. A task's call ends with its task. */
  default void onOutcome(String method, CallOutcome outcome) {}

  /** Runs when the reply to a call is made, or when there will be none. */
  default void onReply(DialectCall dialectCall) {}
}
