package gatebook.api.a2a.message;

import gatebook.api.gateway.message.CommandResult;
import gatebook.command.call.CallOutcome;
import gatebook.command.call.task.TaskStatus;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Misdirected.Limit;
import gatebook.events.fault.Misdirected.RateLimited;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import gatebook.events.fault.UpstreamFault.InvalidAgentResponse;
import gatebook.events.fault.UpstreamFault.UpstreamConnectionFailed;
import gatebook.events.fault.UpstreamFault.UpstreamError;
import gatebook.events.fault.UpstreamFault.UpstreamTimeout;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Meters of A2A: messages by their outcomes, and operations on stored tasks. */
public final class A2aMeters {
  private final Map<MessageResult, Counter> messages = new HashMap<>();
  private final Map<StoreCount, Counter> storeOperations = new HashMap<>();
  private final Counter idsUsedAgain;

  /** An operation on stored tasks. */
  public enum StoreOperation {
    /** Records a task, or who owns one of an agent. */
    CREATE,
    /** Reads the state of a task, or who owns one of an agent. */
    GET,
    /** Waits for the next state of a task. */
    FOLLOW,
    CANCEL,
    /** Records how a task ended. */
    END
  }

  public enum StoreResult {
    SUCCESS,
    /** There is no such task of the caller. */
    NOT_FOUND,
    /** The task has ended, or belongs to somebody else. */
    CONFLICT,
    /** The journal did not do it. */
    ERROR
  }

  private enum MessageResult {
    SUCCESS,
    FAILED_TASK,
    DENIED,
    /** A JSON-RPC error of the agent, or of the gateway itself. */
    ERROR,
    TRANSPORT_FAILURE,
    CANCELED,
    ABANDONED
  }

  private record StoreCount(StoreOperation operation, StoreResult result) {}

  /** Registers every counter at zero, so that a watcher sees also the first increment. */
  public A2aMeters(MeterRegistry meters) {
    this.idsUsedAgain =
        Counter.builder("gatebook.a2a.message.ids.used.again")
            .description("messages with the id of an earlier one and other content")
            .register(meters);
    for (MessageResult result : MessageResult.values()) {
      messages.put(
          result,
          Counter.builder("gatebook.a2a.messages")
              .description("messages to agents, by their outcomes")
              .tag("result", word(result))
              .register(meters));
    }
    for (StoreOperation operation : StoreOperation.values()) {
      for (StoreResult result : StoreResult.values()) {
        storeOperations.put(
            new StoreCount(operation, result),
            Counter.builder("gatebook.a2a.store.operations")
                .description("operations on the stored tasks of agents")
                .tags("operation", word(operation), "result", word(result))
                .register(meters));
      }
    }
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  public void count(StoreOperation operation, StoreResult result) {
    increment(storeOperations.get(new StoreCount(operation, result)));
  }

  /** Counts an operation when it ends; a wait that its caller ends is none that failed. */
  public <R> CompletableFuture<CommandResult<R>> counted(
      StoreOperation operation,
      CompletableFuture<CommandResult<R>> pending,
      Function<R, StoreResult> toResult) {
    return pending.whenComplete((stored, failure) -> {
      if (!(failure instanceof CancellationException)) {
        count(operation, result(stored, toResult));
      }
    });
  }

  /** Counts each task that is read, or one error. */
  public CompletableFuture<CommandResult<List<TaskStatus>>> countedReads(
      CompletableFuture<CommandResult<List<TaskStatus>>> pending) {
    return pending.whenComplete((found, _) -> {
      if (found instanceof CommandResult.Stored<List<TaskStatus>>(var statuses)) {
        statuses.forEach(status -> count(StoreOperation.GET, read(status)));
      } else {
        count(StoreOperation.GET, StoreResult.ERROR);
      }
    });
  }

  /** The result of an operation on the journal, whose result is absent if it failed. */
  public static <R> StoreResult result(
      @Nullable CommandResult<R> stored, Function<R, StoreResult> toResult) {
    return stored instanceof CommandResult.Stored<R>(var outcome)
        ? toResult.apply(outcome)
        : StoreResult.ERROR;
  }

  /** The result of an operation that reads a status. */
  public static StoreResult read(TaskStatus status) {
    return status instanceof TaskStatus.Known ? StoreResult.SUCCESS : StoreResult.NOT_FOUND;
  }

  /** The result of a cancellation, given the status after it. */
  public static StoreResult cancelled(TaskStatus status) {
    return status instanceof TaskStatus.Known known
            && !(known.state() instanceof CallOutcome.Cancelled)
        ? StoreResult.CONFLICT
        : read(status);
  }

  public void countIdUsedAgain() {
    idsUsedAgain.increment();
  }

  /** Counts a message. */
  public void count(CallOutcome outcome) {
    increment(messages.get(result(outcome)));
  }

  private static void increment(@Nullable Counter counter) {
    if (counter != null) {
      counter.increment();
    }
  }

  private static MessageResult result(CallOutcome outcome) {
    return switch (outcome) {
      case CallOutcome.Answered(boolean toolError, _) ->
          toolError ? MessageResult.FAILED_TASK : MessageResult.SUCCESS;
      case CallOutcome.Failed(var fault, _) -> result(fault);
      case CallOutcome.Cancelled() -> MessageResult.CANCELED;
      case CallOutcome.Abandoned() -> MessageResult.ABANDONED;
    };
  }

  private static MessageResult result(Fault fault) {
    return switch (fault) {
      case UpstreamConnectionFailed _, UpstreamTimeout _, InvalidAgentResponse _ ->
          MessageResult.TRANSPORT_FAILURE;
      case UpstreamError error when error.code() == null -> MessageResult.TRANSPORT_FAILURE;
      case RateLimited limited when limited.limit() == Limit.UPSTREAM ->
          MessageResult.TRANSPORT_FAILURE;
      case ServiceUnavailable unavailable when unavailable.cause() == Cause.UPSTREAM ->
          MessageResult.TRANSPORT_FAILURE;
      default -> fault.gate().isPresent() ? MessageResult.DENIED : MessageResult.ERROR;
    };
  }
}
