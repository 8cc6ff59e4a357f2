package gatebook.api.gateway;

import gatebook.api.gateway.DialectHandler.Asking;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.command.call.CancelTask;
import gatebook.command.call.CloseCall;
import gatebook.command.call.DialectVersion;
import gatebook.command.call.GetTask;
import gatebook.command.call.HeldCall;
import gatebook.command.call.Intent;
import gatebook.command.call.ReceiveCall;
import gatebook.command.call.TakeOverTask;
import gatebook.command.call.TaskId;
import gatebook.command.call.TaskStatus;
import gatebook.command.redecide.CallRedecision;
import gatebook.events.TaskCreated;
import gatebook.events.call.Dialect;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The calls of this node that go on without their callers, and what these are told of them. */
final class BackgroundCalls {

  private static final Logger LOG = LoggerFactory.getLogger(BackgroundCalls.class);

  /** How soon a task is looked at again that another node has. */
  private static final long LOOK_MILLIS = 1_000;

  private final Gateway.Tools tools;
  private final Map<Dialect, DialectHandler> methods;
  private final Map<UUID, BackgroundCall> underWay = new ConcurrentHashMap<>();
  private final Set<UUID> left = ConcurrentHashMap.newKeySet();

  BackgroundCalls(Gateway.Tools tools, Map<Dialect, DialectHandler> methods) {
    this.tools = tools;
    this.methods = Map.copyOf(methods);
  }

  /** What one caller, by his name, left behind. */
  Own of(String principal) {
    return new Own(principal);
  }

  /** Begins what was recorded; {@code headers} go to the source. */
  BackgroundCall begin(HeldCall heldCall, TaskCreated task, Map<String, String> headers) {
    DialectHandler spoken = spoken(heldCall.call().tongue().dialect());
    BackgroundCall backgroundCall =
        new BackgroundCall(tools, heldCall, task, spoken::onward, headers);
    underWay.put(task.callId(), backgroundCall);
    CompletableFuture<Void> _ = backgroundCall.over().thenRun(() -> underWay.remove(task.callId()));
    backgroundCall.begin();
    return backgroundCall;
  }

  /** Nobody wants to know any more what becomes of it. */
  void forget(UUID callId) {
    BackgroundCall backgroundCall = underWay.get(callId);
    if (backgroundCall != null) {
      backgroundCall.cancel();
    }
  }

  /** Goes on with what a process that is no more began, as soon as there are rules to do it by. */
  void takeOver(UUID callId) {
    left.add(callId);
  }

  /** Takes over what there is. */
  void takeOverAll() {
    RoutingSnapshot routingSnapshot = tools.ground().get();
    if (!left.isEmpty() && routingSnapshot.obstacle() == null) {
      left.forEach(callId -> {
        left.remove(callId);
        takeOver(callId, routingSnapshot);
      });
    }
  }

  private void takeOver(UUID callId, RoutingSnapshot routingSnapshot) {
    CompletableFuture<Void> _ =
        tools
            .decisions()
            .of(new TakeOverTask(callId, routingSnapshot.rules()), TakeOverTask.Outcome.class)
            .handle((commandResult, failure) -> {
              if (failure != null) {
                LOG.atError()
                    .addKeyValue("call_id", callId)
                    .setCause(failure)
                    .log("a task that was left cannot be taken over: the next start tries again");
              } else if (commandResult
                  instanceof CommandResult.Done<TakeOverTask.Outcome>(var outcome)) {
                taken(outcome, routingSnapshot);
              } else {
                left.add(callId);
              }
              return null;
            });
  }

  private void taken(TakeOverTask.Outcome outcome, RoutingSnapshot routingSnapshot) {
    switch (outcome) {
      case TakeOverTask.Outcome.Unreadable(var found) when goesOnHere(found, routingSnapshot) ->
          close(found);
      case TakeOverTask.Outcome.Taken(var found, var params)
          when goesOnHere(found, routingSnapshot) ->
          goOn(found, again(found, params, routingSnapshot));
      case TakeOverTask.Outcome.Nothing _,
          TakeOverTask.Outcome.Unreadable _,
          TakeOverTask.Outcome.Taken _ -> {
        // there is nothing to go on with, or it is for a process that has its source
      }
    }
  }

  private boolean goesOnHere(TakeOverTask.Left found, RoutingSnapshot routingSnapshot) {
    return spoken(found.received().dialect())
        .goesOnHere(found.received(), found.question().rulesHash(), routingSnapshot.rules());
  }

  private void goOn(TakeOverTask.Left found, ReceiveCall call) {
    if (call.aim() instanceof Intent.Act act) {
      HeldCall heldCall = new HeldCall(call, call.asked(act), found.question());
      tools.holds().seat(heldCall);
      begin(heldCall, found.task(), Map.of()).expectReturn();
    } else {
      close(found);
    }
  }

  private ReceiveCall again(
      TakeOverTask.Left found, @Nullable String params, RoutingSnapshot routingSnapshot) {
    DialectHandler spoken = spoken(found.received().dialect());
    Asking asking = Asking.of(found.received(), params, routingSnapshot.rules());
    return CallRedecision.command(
        found.received(),
        spoken.aim(asking),
        params,
        spoken.arguments(asking).orElse(null),
        found.received().receivedAt(),
        routingSnapshot.rules());
  }

  /** What was asked cannot be known any more, so that nobody can do it. */
  private void close(TakeOverTask.Left found) {
    LOG.atWarn()
        .addKeyValue("call_id", found.task().callId())
        .log("a task that was left cannot be read: it is closed");
    var fault = new ServiceUnavailable(Cause.JOURNAL, null);
    tools
        .outages()
        .record(
            new CloseCall(
                found.task().callId(),
                found.received().target(),
                fault,
                tools
                    .telling()
                    .tell(
                        fault,
                        new DialectVersion(
                            found.received().dialect(), found.received().dialectVersion()),
                        found.received().correlationId()),
                found.received().receivedAt(),
                tools.clock().instant()));
  }

  private DialectHandler spoken(Dialect dialect) {
    return Objects.requireNonNull(methods.get(dialect), "a dialect not spoken here");
  }

  /** Of one caller. */
  final class Own implements CallerTasks {
    private final String principal;

    Own(String principal) {
      this.principal = principal;
    }

    private GetTask asking(TaskId task) {
      return new GetTask(task, principal, tools.ground().get().rules(), tools.clock().instant());
    }

    @Override
    public CompletableFuture<Ended> ask(TaskId task, Function<TaskStatus, Ended> told) {
      return found(asking(task)).thenApply(found -> ended(found, told));
    }

    @Override
    public CompletableFuture<Ended> cancel(TaskId task, Function<TaskStatus, Ended> told) {
      return found(new CancelTask(asking(task)))
          .thenApply(found -> {
            if (found instanceof CommandResult.Done<TaskStatus>(TaskStatus.Known known)
                && known.state() instanceof TaskStatus.State.Cancelled) {
              forget(task.callId());
            }
            return ended(found, told);
          });
    }

    private CompletableFuture<CommandResult<TaskStatus>> found(Object command) {
      return tools.decisions().of(command, TaskStatus.class);
    }

    private Ended ended(CommandResult<TaskStatus> found, Function<TaskStatus, Ended> told) {
      return switch (found) {
        case CommandResult.Done<TaskStatus>(var standing) -> told.apply(standing);
        case CommandResult.Not<TaskStatus> _ ->
            new Ended.Failure(new ServiceUnavailable(Cause.JOURNAL, null));
      };
    }

    @Override
    public CompletableFuture<Ended> await(
        TaskId task,
        long millisMax,
        Predicate<TaskStatus.Known> worth,
        Function<TaskStatus, Ended> told) {
      CompletableFuture<CommandResult<TaskStatus>> standing = standing(task, millisMax, worth);
      CompletableFuture<Ended> ended = standing.thenApply(found -> ended(found, told));
      CompletableFuture<Ended> _ =
          ended.whenComplete((_, failure) -> {
            if (failure != null) {
              standing.cancel(false);
            }
          });
      return ended;
    }

    /** How it stands when that is final, or when the time is over; may be cancelled. */
    CompletableFuture<CommandResult<TaskStatus>> standing(TaskId task, long millisMax) {
      return standing(task, millisMax, _ -> true);
    }

    private CompletableFuture<CommandResult<TaskStatus>> standing(
        TaskId task, long millisMax, Predicate<TaskStatus.Known> worth) {
      long untilNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millisMax);
      Waiting waiting = new Waiting(this, task, untilNanos, worth);
      waiting.begin();
      return waiting.standing;
    }
  }

  /** One who waits for a task. */
  private final class Waiting {
    private final Own caller;
    private final TaskId task;
    private final long untilNanos;
    private final Predicate<TaskStatus.Known> worth;
    private final CompletableFuture<CommandResult<TaskStatus>> standing = new CompletableFuture<>();

    Waiting(Own caller, TaskId task, long untilNanos, Predicate<TaskStatus.Known> worth) {
      this.caller = caller;
      this.task = task;
      this.untilNanos = untilNanos;
      this.worth = worth;
    }

    /** Whoever waits has come back for it, and may have to again. */
    void begin() {
      BackgroundCall backgroundCall = underWay.get(task.callId());
      if (backgroundCall != null) {
        backgroundCall.awaited();
        CompletableFuture<Void> _ = standing.handle((_, _) -> null).thenRun(backgroundCall::left);
      }
      look();
    }

    private void look() {
      if (!standing.isDone()) {
        CompletableFuture<Void> _ =
            caller
                .found(caller.asking(task))
                .thenAccept(this::take)
                .exceptionally(failure -> {
                  standing.completeExceptionally(failure);
                  return null;
                });
      }
    }

    private void take(CommandResult<TaskStatus> found) {
      long millisLeft = TimeUnit.NANOSECONDS.toMillis(untilNanos - System.nanoTime());
      boolean goesOn =
          found instanceof CommandResult.Done<TaskStatus>(TaskStatus.Known known)
              && !known.state().isFinal()
              && worth.test(known);
      if (goesOn && millisLeft > 0) {
        pause(underWay.get(task.callId()), millisLeft);
      } else {
        standing.complete(found);
      }
    }

    /** Until it is over here, or there is reason to look whether it is over at another node. */
    private void pause(@Nullable BackgroundCall backgroundCall, long millisLeft) {
      CompletableFuture<Void> woken = new CompletableFuture<>();
      long millis = backgroundCall == null ? Math.min(LOOK_MILLIS, millisLeft) : millisLeft;
      ScheduledFuture<?> alarm =
          tools.timer().schedule(() -> woken.complete(null), millis, TimeUnit.MILLISECONDS);
      CompletableFuture<Boolean> _ = standing.handle((_, _) -> woken.complete(null));
      CompletableFuture<Void> _ =
          CompletableFuture.anyOf(backgroundCall == null ? woken : backgroundCall.over(), woken)
              .thenRun(() -> {
                alarm.cancel(false);
                look();
              });
    }
  }
}
