package gatebook.api.border;

import gatebook.api.border.Methods.Asking;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.command.Tongue;
import gatebook.command.abandon.CloseCall;
import gatebook.command.again.DecideAgain;
import gatebook.command.receive.Aim;
import gatebook.command.receive.Hold;
import gatebook.command.receive.ReceiveCall;
import gatebook.command.task.AskAfterTask;
import gatebook.command.task.CancelTask;
import gatebook.command.task.TakeOverTask;
import gatebook.command.task.TaskId;
import gatebook.command.task.TaskStanding;
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
final class Errands {

  private static final Logger LOG = LoggerFactory.getLogger(Errands.class);

  /** How soon a task is looked at again that another node has. */
  private static final long LOOK_MILLIS = 1_000;

  private final Border.Tools tools;
  private final Map<Dialect, Methods> methods;
  private final Map<UUID, Errand> underWay = new ConcurrentHashMap<>();
  private final Set<UUID> left = ConcurrentHashMap.newKeySet();

  Errands(Border.Tools tools, Map<Dialect, Methods> methods) {
    this.tools = tools;
    this.methods = Map.copyOf(methods);
  }

  /** What one caller, by his name, left behind. */
  Own of(String principal) {
    return new Own(principal);
  }

  /** Begins what was recorded; {@code headers} go to the source. */
  Errand begin(Hold hold, TaskCreated task, Map<String, String> headers) {
    Methods spoken = spoken(hold.call().tongue().dialect());
    Errand errand = new Errand(tools, hold, task, spoken::onward, headers);
    underWay.put(task.callId(), errand);
    CompletableFuture<Void> _ = errand.over().thenRun(() -> underWay.remove(task.callId()));
    errand.begin();
    return errand;
  }

  /** Nobody wants to know any more what becomes of it. */
  void forget(UUID callId) {
    Errand errand = underWay.get(callId);
    if (errand != null) {
      errand.cancel();
    }
  }

  /** Goes on with what a process that is no more began, as soon as there are rules to do it by. */
  void takeOver(UUID callId) {
    left.add(callId);
  }

  /** Takes over what there is. */
  void takeOverAll() {
    Ground ground = tools.ground().get();
    if (!left.isEmpty() && ground.obstacle() == null) {
      left.forEach(callId -> {
        left.remove(callId);
        takeOver(callId, ground);
      });
    }
  }

  private void takeOver(UUID callId, Ground ground) {
    CompletableFuture<Void> _ =
        tools
            .decisions()
            .of(new TakeOverTask(callId, ground.rules()), TakeOverTask.Outcome.class)
            .handle((recorded, failure) -> {
              if (failure != null) {
                LOG.atError()
                    .addKeyValue("call_id", callId)
                    .setCause(failure)
                    .log("a task that was left cannot be taken over: the next start tries again");
              } else if (recorded instanceof Recorded.Done<TakeOverTask.Outcome>(var outcome)) {
                taken(outcome, ground);
              } else {
                left.add(callId);
              }
              return null;
            });
  }

  private void taken(TakeOverTask.Outcome outcome, Ground ground) {
    switch (outcome) {
      case TakeOverTask.Outcome.Unreadable(var found) when goesOnHere(found, ground) ->
          close(found);
      case TakeOverTask.Outcome.Taken(var found, var params) when goesOnHere(found, ground) ->
          goOn(found, again(found, params, ground));
      case TakeOverTask.Outcome.Nothing _,
          TakeOverTask.Outcome.Unreadable _,
          TakeOverTask.Outcome.Taken _ -> {
        // there is nothing to go on with, or it is for a process that has its source
      }
    }
  }

  private boolean goesOnHere(TakeOverTask.Left found, Ground ground) {
    return spoken(found.received().dialect())
        .goesOnHere(found.received(), found.question().rulesHash(), ground.rules());
  }

  private void goOn(TakeOverTask.Left found, ReceiveCall call) {
    if (call.aim() instanceof Aim.Act act) {
      Hold hold = new Hold(call, call.asked(act), found.question());
      tools.holds().seat(hold);
      begin(hold, found.task(), Map.of()).expectReturn();
    } else {
      close(found);
    }
  }

  private ReceiveCall again(TakeOverTask.Left found, @Nullable String params, Ground ground) {
    Methods spoken = spoken(found.received().dialect());
    Asking asking = Asking.of(found.received(), params, ground.rules());
    return DecideAgain.command(
        found.received(),
        spoken.aim(asking),
        params,
        spoken.arguments(asking).orElse(null),
        found.received().receivedAt(),
        ground.rules());
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
                        new Tongue(found.received().dialect(), found.received().dialectVersion()),
                        found.received().correlationId()),
                found.received().receivedAt(),
                tools.clock().instant()));
  }

  private Methods spoken(Dialect dialect) {
    return Objects.requireNonNull(methods.get(dialect), "a dialect not spoken here");
  }

  /** Of one caller. */
  final class Own implements Tasks {
    private final String principal;

    Own(String principal) {
      this.principal = principal;
    }

    private AskAfterTask asking(TaskId task) {
      return new AskAfterTask(
          task, principal, tools.ground().get().rules(), tools.clock().instant());
    }

    @Override
    public CompletableFuture<Ended> ask(TaskId task, Function<TaskStanding, Ended> told) {
      return found(asking(task)).thenApply(found -> ended(found, told));
    }

    @Override
    public CompletableFuture<Ended> cancel(TaskId task, Function<TaskStanding, Ended> told) {
      return found(new CancelTask(asking(task)))
          .thenApply(found -> {
            if (found instanceof Recorded.Done<TaskStanding>(TaskStanding.Known known)
                && known.state() instanceof TaskStanding.State.Cancelled) {
              forget(task.callId());
            }
            return ended(found, told);
          });
    }

    private CompletableFuture<Recorded<TaskStanding>> found(Object command) {
      return tools.decisions().of(command, TaskStanding.class);
    }

    private Ended ended(Recorded<TaskStanding> found, Function<TaskStanding, Ended> told) {
      return switch (found) {
        case Recorded.Done<TaskStanding>(var standing) -> told.apply(standing);
        case Recorded.Not<TaskStanding> _ ->
            new Ended.Failure(new ServiceUnavailable(Cause.JOURNAL, null));
      };
    }

    @Override
    public CompletableFuture<Ended> await(
        TaskId task,
        long millisMax,
        Predicate<TaskStanding.Known> worth,
        Function<TaskStanding, Ended> told) {
      CompletableFuture<Recorded<TaskStanding>> standing = standing(task, millisMax, worth);
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
    CompletableFuture<Recorded<TaskStanding>> standing(TaskId task, long millisMax) {
      return standing(task, millisMax, _ -> true);
    }

    private CompletableFuture<Recorded<TaskStanding>> standing(
        TaskId task, long millisMax, Predicate<TaskStanding.Known> worth) {
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
    private final Predicate<TaskStanding.Known> worth;
    private final CompletableFuture<Recorded<TaskStanding>> standing = new CompletableFuture<>();

    Waiting(Own caller, TaskId task, long untilNanos, Predicate<TaskStanding.Known> worth) {
      this.caller = caller;
      this.task = task;
      this.untilNanos = untilNanos;
      this.worth = worth;
    }

    /** Whoever waits has come back for it, and may have to again. */
    void begin() {
      Errand errand = underWay.get(task.callId());
      if (errand != null) {
        errand.awaited();
        CompletableFuture<Void> _ = standing.handle((_, _) -> null).thenRun(errand::left);
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

    private void take(Recorded<TaskStanding> found) {
      long millisLeft = TimeUnit.NANOSECONDS.toMillis(untilNanos - System.nanoTime());
      boolean goesOn =
          found instanceof Recorded.Done<TaskStanding>(TaskStanding.Known known)
              && !known.state().isFinal()
              && worth.test(known);
      if (goesOn && millisLeft > 0) {
        pause(underWay.get(task.callId()), millisLeft);
      } else {
        standing.complete(found);
      }
    }

    /** Until it is over here, or there is reason to look whether it is over at another node. */
    private void pause(@Nullable Errand errand, long millisLeft) {
      CompletableFuture<Void> woken = new CompletableFuture<>();
      long millis = errand == null ? Math.min(LOOK_MILLIS, millisLeft) : millisLeft;
      ScheduledFuture<?> alarm =
          tools.timer().schedule(() -> woken.complete(null), millis, TimeUnit.MILLISECONDS);
      CompletableFuture<Boolean> _ = standing.handle((_, _) -> woken.complete(null));
      CompletableFuture<Void> _ =
          CompletableFuture.anyOf(errand == null ? woken : errand.over(), woken)
              .thenRun(() -> {
                alarm.cancel(false);
                look();
              });
    }
  }
}
