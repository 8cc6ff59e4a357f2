package gatebook.command.call.task;

import static java.util.stream.Collectors.joining;

import gatebook.command.call.CallOutcome;
import gatebook.command.call.CallState;
import gatebook.command.call.CallState.ApprovalStatus;
import gatebook.command.call.DialectVersion;
import gatebook.command.call.FaultTranslator;
import gatebook.command.call.TaskState;
import gatebook.events.CallAbandoned;
import gatebook.events.CallAnswered;
import gatebook.events.CallOrphaned;
import gatebook.events.CallReceived;
import gatebook.events.ErrorTranslated;
import gatebook.events.MessageRefused;
import gatebook.events.ResultKept;
import gatebook.events.TaskCreated;
import gatebook.events.call.Erasable;
import gatebook.events.fault.Denied;
import gatebook.events.fault.Fault;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the tasks of calls, whose callers get the outcome later, from the state of the calls. */
public final class TaskReader {

  private final FaultTranslator faultTranslator;

  public TaskReader(FaultTranslator faultTranslator) {
    this.faultTranslator = faultTranslator;
  }

  /** The status of a task as its caller sees it. */
  public TaskStatus status(GetTask query, CallState state) {
    TaskCreated task = state.task();
    CallReceived received = state.received();
    if (task == null
        || received == null
        || !task.taskId().equals(query.task().text())
        || !received.principal().name().equals(query.principal())) {
      return new TaskStatus.Unknown();
    }
    Instant expiry = task.createdAt().plusMillis(task.ttlMillis());
    if (!query.at().isBefore(expiry) && !isEndedByDeadline(state, expiry)) {
      return new TaskStatus.Expired(task);
    }
    return new TaskStatus.Known(
        task,
        state(state, received),
        workingSince(state, task),
        changedAt(state, task),
        state.approval() == null ? task.createdAt() : state.approval().request().due(),
        query.at(),
        received.original());
  }

  /** Whether a task expires with its approval request, which no operator has decided. */
  private static boolean isEndedByDeadline(CallState state, Instant expiry) {
    CallState.Approval approval = state.approval();
    if (approval == null || expiry.isAfter(approval.request().due())) {
      return false;
    }
    return state.endEvent() == null
        ? approval.status() instanceof ApprovalStatus.Waiting
        : state.endEvent() instanceof ErrorTranslated ended
            && ended.fault() instanceof Denied.ApprovalTimeout;
  }

  /** The task of a call that still waits for its approval. */
  public FindWaitingTask.Result waiting(FindWaitingTask query, CallState state) {
    if (state.received() == null
        || state.approval() == null
        || state.task() == null
        || state.hasEnded()
        || state.isForwarded()) {
      return new FindWaitingTask.Result.None();
    }
    FindWaitingTask.WaitingTask waitingTask =
        new FindWaitingTask.WaitingTask(state.received(), state.approval().request(), state.task());
    String params = state.received().original();
    return params == null
        ? new FindWaitingTask.Result.Unreadable(waitingTask)
        : new FindWaitingTask.Result.Found(waitingTask, params);
  }

  /** How far a call came. */
  public static GetCallState.Result result(CallState state) {
    return new GetCallState.Result(
        state.received() != null || state.hasEnded(),
        Optional.ofNullable(state.task()).filter(_ -> hasOutcome(state)).map(TaskCreated::taskId),
        state.isForwarded(),
        state.endEvent() instanceof ErrorTranslated translated
            ? Optional.of(translated.fault())
            : Optional.empty());
  }

  /** A call that a process left open after it was forwarded is closed, and has none to be got. */
  private static boolean hasOutcome(CallState state) {
    return switch (state.endEvent()) {
      case null -> true;
      case CallAnswered _, ErrorTranslated _ -> true;
      case CallAbandoned _, CallOrphaned _, MessageRefused _ -> false;
    };
  }

  private TaskState state(CallState state, CallReceived received) {
    return switch (state.endEvent()) {
      case null -> openState(state);
      case CallAnswered answered ->
          result(state.result())
              .<TaskState>map(text ->
                  new CallOutcome.Answered(
                      answered.outcome() == CallAnswered.Outcome.TOOL_ERROR, text))
              .orElseGet(() -> outcomeUnknown(received));
      case ErrorTranslated(_, _, var fault, var errorResponse, _, _, _, _) ->
          errorResponse.message().equals(Erasable.UNREADABLE)
              ? outcomeUnknown(received)
              : new CallOutcome.Failed(fault, errorResponse);
      case CallAbandoned _ -> new CallOutcome.Cancelled();
      case CallOrphaned _, MessageRefused _ -> outcomeUnknown(received);
    };
  }

  /** The call may have taken effect, and its outcome is unknown. */
  private TaskState outcomeUnknown(CallReceived received) {
    Fault fault = new ServiceUnavailable(Cause.OUTCOME_NOT_RECORDED, null);
    DialectVersion dialectVersion =
        new DialectVersion(received.dialect(), received.dialectVersion());
    return new CallOutcome.Failed(
        fault, faultTranslator.translate(fault, dialectVersion, received.correlationId()));
  }

  private static TaskState openState(CallState state) {
    return state.approval() != null
            && state.approval().status() instanceof ApprovalStatus.Waiting
            && !state.isForwarded()
        ? new TaskState.Waiting()
        : new TaskState.Working();
  }

  private static @Nullable Instant workingSince(CallState state, TaskCreated task) {
    return state.approval() == null ? task.createdAt() : grantedAt(state);
  }

  private static Instant changedAt(CallState state, TaskCreated task) {
    Instant from = task.createdAt();
    return switch (state.endEvent()) {
      case null -> decidedAt(state, from);
      case CallAnswered answered -> from.plusMillis(answered.totalMillis());
      case ErrorTranslated translated -> from.plusMillis(translated.totalMillis());
      case CallAbandoned abandoned -> from.plusMillis(abandoned.totalMillis());
      case CallOrphaned _, MessageRefused _ -> decidedAt(state, from);
    };
  }

  private static Instant decidedAt(CallState state, Instant otherwise) {
    return Objects.requireNonNullElse(grantedAt(state), otherwise);
  }

  private static @Nullable Instant grantedAt(CallState state) {
    return state.approval() != null
            && state.approval().status() instanceof ApprovalStatus.Granted(var granted)
        ? granted.decidedAt()
        : null;
  }

  private static Optional<String> result(List<ResultKept> parts) {
    List<String> texts = parts.stream().map(ResultKept::text).filter(Objects::nonNull).toList();
    boolean whole = !parts.isEmpty() && texts.size() == parts.getFirst().parts();
    return whole ? Optional.of(texts.stream().collect(joining())) : Optional.empty();
  }
}
