package gatebook.api.gateway;

import gatebook.api.gateway.message.CallerTasks;
import gatebook.api.gateway.message.CommandResult;
import gatebook.api.gateway.message.DialectHandler;
import gatebook.api.gateway.message.DialectHandler.DialectCall;
import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.command.call.CallOutcome;
import gatebook.command.call.CloseUnrecordedCall;
import gatebook.command.call.DialectVersion;
import gatebook.command.call.HeldCall;
import gatebook.command.call.Intent;
import gatebook.command.call.ReceiveCall;
import gatebook.command.call.TaskId;
import gatebook.command.call.TaskState;
import gatebook.command.call.task.CancelTask;
import gatebook.command.call.task.FindWaitingTask;
import gatebook.command.call.task.GetTask;
import gatebook.command.call.task.TaskStatus;
import gatebook.command.redecide.CallRedecision;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.events.TaskCreated;
import gatebook.events.call.Dialect;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Registry of this node's background calls, and of the status that callers get of them. */
final class BackgroundCalls {

  private static final Logger LOG = LoggerFactory.getLogger(BackgroundCalls.class);

  private final GatewayCore.Services services;
  private final Map<Dialect, DialectHandler> handlers;
  private final Map<UUID, BackgroundCall> running = new ConcurrentHashMap<>();
  private final Set<UUID> orphans = ConcurrentHashMap.newKeySet();

  /** Those of calls that an earlier process made and that are yet to be taken over here. */
  private final Map<UUID, CompletableFuture<Void>> resumptions = new ConcurrentHashMap<>();

  BackgroundCalls(GatewayCore.Services services, Map<Dialect, DialectHandler> handlers) {
    this.services = services;
    this.handlers = Map.copyOf(handlers);
  }

  /** The tasks of one caller, by its name. */
  OwnTasks tasksOf(String principal) {
    return new OwnTasks(principal);
  }

  /** Holds a call that is recorded; {@code headers} go to the source. */
  BackgroundCall hold(HeldCall heldCall, TaskCreated task, Map<String, String> headers) {
    BackgroundCall backgroundCall = added(heldCall.call(), task, headers);
    backgroundCall.hold(heldCall);
    return backgroundCall;
  }

  /** Forwards a call whose intent is recorded; {@code headers} go to the source. */
  void start(ReceiveCall call, Source source, TaskCreated task, Map<String, String> headers) {
    added(call, task, headers).start(source);
  }

  private BackgroundCall added(ReceiveCall call, TaskCreated task, Map<String, String> headers) {
    BackgroundCall backgroundCall =
        new BackgroundCall(services, call, task, handler(call.dialectVersion().dialect()), headers);
    running.put(task.callId(), backgroundCall);
    CompletableFuture<Void> _ =
        backgroundCall
            .completion()
            .thenRun(() -> {
              running.remove(task.callId());
              services.quotas().end(task.callId());
            });
    CompletableFuture<Void> _ = backgroundCall.nextChange().thenRun(() -> resumed(task.callId()));
    return backgroundCall;
  }

  private void resumed(UUID callId) {
    CompletableFuture<Void> resumption = resumptions.get(callId);
    if (resumption != null) {
      resumption.complete(null);
    }
  }

  /**
   * Completed when a call that is taken over here waits for no approval any more. The receiver
   * completes it when it is no longer needed.
   */
  CompletableFuture<Void> nextResumption(UUID callId) {
    CompletableFuture<Void> resumption =
        resumptions.computeIfAbsent(callId, _ -> new CompletableFuture<>());
    CompletableFuture<Void> _ = resumption.thenRun(() -> resumptions.remove(callId, resumption));
    return resumption;
  }

  /** Stops a call that is cancelled, if it runs here. */
  void stop(UUID callId) {
    BackgroundCall backgroundCall = running.get(callId);
    if (backgroundCall != null) {
      backgroundCall.stop(new CallOutcome.Cancelled());
    }
  }

  /** Takes over a task that a dead process left open, as soon as there are rules. */
  void takeOver(UUID callId) {
    orphans.add(callId);
  }

  /** Takes over all tasks that wait for it. */
  void takeOverAll() {
    RoutingSnapshot routingSnapshot = services.routingSnapshots().get();
    if (!orphans.isEmpty() && routingSnapshot.obstacle() == null) {
      orphans.forEach(callId -> {
        orphans.remove(callId);
        takeOver(callId, routingSnapshot);
      });
    }
  }

  private void takeOver(UUID callId, RoutingSnapshot routingSnapshot) {
    CompletableFuture<Void> _ =
        services
            .querySender()
            .send(
                new FindWaitingTask(callId, routingSnapshot.rules().hash()),
                FindWaitingTask.Result.class,
                routingSnapshot.rules())
            .handle((commandResult, failure) -> {
              if (failure != null) {
                LOG.atError()
                    .addKeyValue("call_id", callId)
                    .setCause(failure)
                    .log("an orphaned task cannot be taken over: the next start tries again");
              } else if (commandResult
                  instanceof CommandResult.Stored<FindWaitingTask.Result>(var outcome)) {
                continueOrClose(outcome, routingSnapshot);
              } else {
                orphans.add(callId);
              }
              return null;
            });
  }

  private void continueOrClose(FindWaitingTask.Result outcome, RoutingSnapshot routingSnapshot) {
    switch (outcome) {
      case FindWaitingTask.Result.Unreadable(var found) when canTakeOver(found, routingSnapshot) ->
          close(found);
      case FindWaitingTask.Result.Found(var found, var params)
          when canTakeOver(found, routingSnapshot) ->
          resume(found, receiveCommand(found, params, routingSnapshot));
      case FindWaitingTask.Result.None _,
          FindWaitingTask.Result.Unreadable _,
          FindWaitingTask.Result.Found _ -> {
        // there is nothing to continue, or another process has its source
      }
    }
  }

  private boolean canTakeOver(FindWaitingTask.WaitingTask found, RoutingSnapshot routingSnapshot) {
    return handler(found.received().dialect())
        .canTakeOver(
            found.received(), found.approvalRequest().rulesHash(), routingSnapshot.rules());
  }

  private void resume(FindWaitingTask.WaitingTask found, ReceiveCall call) {
    if (call.intent() instanceof Intent.Act act) {
      HeldCall heldCall = new HeldCall(call, call.gateInput(act), found.approvalRequest());
      services.heldCalls().reserve(heldCall, found.received().source());
      hold(heldCall, found.task(), Map.of()).expectReturn();
    } else {
      close(found);
    }
  }

  private ReceiveCall receiveCommand(
      FindWaitingTask.WaitingTask found, @Nullable String params, RoutingSnapshot routingSnapshot) {
    DialectHandler handler = handler(found.received().dialect());
    DialectCall dialectCall = DialectCall.of(found.received(), params, routingSnapshot.rules());
    return CallRedecision.receiveCommand(
        found.received(),
        found.received().principal(),
        handler.intent(dialectCall),
        params,
        handler.arguments(dialectCall).orElse(null),
        found.received().receivedAt(),
        routingSnapshot.rules());
  }

  /** Closes a task whose call can no longer be read, so that no process can run it. */
  private void close(FindWaitingTask.WaitingTask found) {
    LOG.atWarn()
        .addKeyValue("call_id", found.task().callId())
        .log("an orphaned task cannot be read: it is closed");
    var fault = new ServiceUnavailable(Cause.JOURNAL, null);
    services
        .outageRecorder()
        .record(
            new CloseUnrecordedCall(
                found.task().callId(),
                found.received().target(),
                fault,
                services
                    .faultTranslator()
                    .translate(
                        fault,
                        new DialectVersion(
                            found.received().dialect(), found.received().dialectVersion()),
                        found.received().correlationId()),
                found.received().receivedAt(),
                services.clock().instant()));
  }

  private DialectHandler handler(Dialect dialect) {
    return Objects.requireNonNull(handlers.get(dialect), "every dialect has a handler");
  }

  /** The tasks of one caller. */
  final class OwnTasks implements CallerTasks {
    private final String principal;

    OwnTasks(String principal) {
      this.principal = principal;
    }

    @Override
    public CompletableFuture<CommandResult<TaskStatus>> status(TaskId task) {
      Rules rules = rules();
      return services.querySender().send(getTask(task, rules), TaskStatus.class, rules);
    }

    @Override
    public CompletableFuture<CommandResult<TaskStatus>> cancel(TaskId task) {
      Rules rules = rules();
      return services
          .commandSender()
          .send(new CancelTask(getTask(task, rules)), TaskStatus.class, rules)
          .whenComplete((found, _) -> {
            if (found instanceof CommandResult.Stored<TaskStatus>(TaskStatus.Known known)
                && known.state() instanceof CallOutcome.Cancelled) {
              stop(task.callId());
            }
          });
    }

    private GetTask getTask(TaskId task, Rules rules) {
      return new GetTask(task, principal, rules.hash(), services.clock().instant());
    }

    private Rules rules() {
      return services.routingSnapshots().get().rules();
    }

    @Override
    public CompletableFuture<CommandResult<TaskStatus>> await(
        TaskId task, long millisMax, Predicate<TaskStatus.Known> waitWhile) {
      return await(task, new StatusWait.Patience(millisMax, waitWhile, false));
    }

    /** The status; a journal that cannot be read now is waited for. */
    CompletableFuture<CommandResult<TaskStatus>> read(TaskId task) {
      return await(task, new StatusWait.Patience(FOREVER_MILLIS, _ -> false, true));
    }

    /** The status when the task waits for no approval; otherwise the same. */
    CompletableFuture<CommandResult<TaskStatus>> awaitDecision(TaskId task) {
      return await(
          task,
          new StatusWait.Patience(
              FOREVER_MILLIS, known -> known.state() instanceof TaskState.Waiting, true));
    }

    /** The status when it is final; a journal that cannot be read now is waited for, too. */
    CompletableFuture<CommandResult<TaskStatus>> awaitEnd(TaskId task) {
      return await(task, new StatusWait.Patience(FOREVER_MILLIS, _ -> true, true));
    }

    private CompletableFuture<CommandResult<TaskStatus>> await(
        TaskId task, StatusWait.Patience patience) {
      return new StatusWait(
              new StatusWait.Task(
                  () -> status(task), () -> Optional.ofNullable(running.get(task.callId()))),
              patience,
              services.timer())
          .start();
    }
  }
}
