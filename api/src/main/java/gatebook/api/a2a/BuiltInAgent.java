package gatebook.api.a2a;

import gatebook.api.a2a.message.A2aExchange;
import gatebook.api.a2a.message.A2aMessage;
import gatebook.api.a2a.message.A2aMeters;
import gatebook.api.a2a.message.A2aMeters.StoreOperation;
import gatebook.api.a2a.message.A2aRequest;
import gatebook.api.a2a.message.AgentTaskJson;
import gatebook.api.a2a.message.DeclinedRequests;
import gatebook.api.a2a.message.RequestContext;
import gatebook.api.a2a.upstream.AgentTaskLists;
import gatebook.api.dialect.A2aMethod;
import gatebook.api.dialect.A2aTaskState;
import gatebook.api.gateway.message.CallerTasks;
import gatebook.api.gateway.message.CommandResult;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.command.call.TaskId;
import gatebook.command.call.task.TaskStatus;
import gatebook.command.call.task.TaskStatus.Known;
import gatebook.events.fault.Fault;
import gatebook.events.fault.TaskFault.InvalidStateTransition;
import gatebook.events.fault.TaskFault.TaskNotCancelable;
import gatebook.events.fault.TaskFault.TaskNotFound;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The built-in agent, whose skills are the tools behind the gates. A message that calls a skill is
 * a call of its tool, and the call is the task; the requests about tasks are answered here.
 */
final class BuiltInAgent {
  private static final String ENDED = "the task has ended";

  private final AgentTaskLists taskLists;
  private final A2aMeters meters;

  BuiltInAgent(AgentTaskLists taskLists, A2aMeters meters) {
    this.taskLists = taskLists;
    this.meters = meters;
  }

  /**
   * Answers a request, also one to an agent upstream that this does not get: its message is still
   * held, or every agent here declines it. The result has the shapes of the request's version.
   */
  CompletableFuture<Ended> answer(A2aRequest request, RequestContext context) {
    return switch (request) {
      case A2aRequest.Send(var message, _, _) -> continued(A2aMethod.SEND, message, context);
      case A2aRequest.Stream(var message, _, _) -> continued(A2aMethod.STREAM, message, context);
      case A2aRequest.Get(var id, var historyLength) ->
          onTask(id, task -> read(task, context), known -> result(known, historyLength, context));
      case A2aRequest.ListTasks list -> taskLists.list(list, context);
      case A2aRequest.Cancel(var id, _) ->
          onTask(id, task -> cancel(task, context), known -> cancelled(known, context));
      case A2aRequest.Subscribe(var id) ->
          onTask(id, task -> read(task, context), known -> followed(known, context));
      case A2aRequest.Declined declined -> failure(DeclinedRequests.fault(declined, context));
    };
  }

  private CompletableFuture<CommandResult<TaskStatus>> read(TaskId task, RequestContext context) {
    return meters.counted(
        StoreOperation.GET, context.answerContext().tasks().status(task), A2aMeters::read);
  }

  private CompletableFuture<CommandResult<TaskStatus>> cancel(TaskId task, RequestContext context) {
    return meters.counted(
        StoreOperation.CANCEL, context.answerContext().tasks().cancel(task), A2aMeters::cancelled);
  }

  /** A message about a task of the caller: a skill takes no second message. */
  private CompletableFuture<Ended> continued(
      A2aMethod method, A2aMessage message, RequestContext context) {
    return onTask(
        Optional.ofNullable(message.taskId()).orElseThrow(),
        task -> read(task, context),
        known ->
            new Ended.Failure(
                AgentTaskJson.state(known).isTerminal()
                    ? goesOn(known, context)
                    : context.unsupported(method, "a skill takes one message")));
  }

  /** A task that has ended does not go on. */
  private static Fault goesOn(Known known, RequestContext context) {
    return new InvalidStateTransition(
        known.task().taskId(),
        AgentTaskJson.word(known, context.version()),
        A2aTaskState.WORKING.word(context.version()).orElseThrow(),
        null);
  }

  /** What is not there, what has expired and what is another caller's are the same to a caller. */
  private static CompletableFuture<Ended> onTask(
      String id,
      Function<TaskId, CompletableFuture<CommandResult<TaskStatus>>> action,
      Function<Known, Ended> toEnded) {
    return TaskId.parse(id)
        .map(task ->
            CallerTasks.ended(
                action.apply(task),
                status ->
                    status instanceof Known known
                        ? toEnded.apply(known)
                        : new Ended.Failure(new TaskNotFound(id))))
        .orElseGet(() -> failure(new TaskNotFound(id)));
  }

  private static Ended result(
      Known known, @Nullable Integer historyLength, RequestContext context) {
    return new Ended.Result(AgentTaskJson.of(known, context.version(), historyLength, true), false);
  }

  /** The stream begins with the task as it is. */
  private Ended followed(Known known, RequestContext context) {
    if (known.state().isFinal()) {
      return new Ended.Failure(context.unsupported(A2aMethod.SUBSCRIBE, ENDED));
    }
    A2aExchange.stream(
        context.answerContext(), known, context.version(), context.agent() != null, meters);
    return new Ended.Result(AgentTaskJson.sent(known, context.version(), null), false);
  }

  private static Ended cancelled(Known known, RequestContext context) {
    A2aTaskState state = AgentTaskJson.state(known);
    return state == A2aTaskState.CANCELED
        ? result(known, null, context)
        : new Ended.Failure(
            new TaskNotCancelable(
                known.task().taskId(), AgentTaskJson.word(known, context.version())));
  }

  private static CompletableFuture<Ended> failure(Fault fault) {
    return CompletableFuture.completedFuture(new Ended.Failure(fault));
  }
}
