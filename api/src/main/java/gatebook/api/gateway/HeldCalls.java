package gatebook.api.gateway;

import gatebook.command.call.HeldCall;
import gatebook.command.call.ResumeCall;
import gatebook.command.call.ResumeOutcome;
import gatebook.command.rules.Rules;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The calls of this node that wait for a person. Each is tried again when somebody decided, when
 * its time is up and when the rules change; what is recorded then, not what woke it, says how it
 * goes on.
 */
public final class HeldCalls {

  private final CommandSender commandSender;
  private final Supplier<Rules> rules;
  private final InstantSource clock;
  private final ScheduledExecutorService timer;
  private final NodeHoldQuota seats;
  private final Map<UUID, Waiting> waiting = new ConcurrentHashMap<>();

  HeldCalls(
      CommandSender commandSender,
      Supplier<Rules> rules,
      InstantSource clock,
      ScheduledExecutorService timer,
      NodeHoldQuota seats) {
    this.commandSender = commandSender;
    this.rules = rules;
    this.clock = clock;
    this.timer = timer;
    this.seats = seats;
  }

  /** Somebody decided about a call, here or at another node. */
  public void decided(UUID callId) {
    tryAgain(waiting.get(callId));
  }

  /** Other rules are in force, or somebody may have decided at another node. */
  public void tryAll() {
    waiting.values().forEach(this::tryAgain);
  }

  /** How many calls wait. */
  public int count() {
    return seats.count();
  }

  /** How the call goes on, once that is recorded, or that it could not be. */
  CompletableFuture<CommandResult<ResumeOutcome>> hold(HeldCall heldCall) {
    UUID callId = heldCall.call().callId();
    Waiting call = new Waiting(heldCall, new CompletableFuture<>(), new AtomicInteger());
    CompletableFuture<CommandResult<ResumeOutcome>> over =
        call.outcome.whenComplete((_, _) -> {
          waiting.remove(callId);
          leave(callId);
        });
    waiting.put(callId, call);
    begin(call);
    return over;
  }

  /** Whatever cannot be begun is over, so that its seat is given back. */
  private void begin(Waiting call) {
    try {
      ScheduledFuture<?> alarm = alarm(call);
      CompletableFuture<CommandResult<ResumeOutcome>> _ =
          call.outcome.whenComplete((_, _) -> alarm.cancel(false));
      tryAgain(call); // a decision made before the call was listed here woke nobody
    } catch (RuntimeException e) {
      call.outcome.completeExceptionally(e);
    }
  }

  /** The caller is gone: its call waits no longer. */
  void forget(UUID callId) {
    Waiting call = waiting.get(callId);
    if (call != null) {
      call.outcome.complete(new CommandResult.Done<>(new ResumeOutcome.Gone()));
    }
  }

  /** A call that was held by a process before this one has its seat, whoever else has one. */
  void seat(HeldCall heldCall) {
    seats.keep(heldCall.call().callId(), heldCall.call().principal().name());
  }

  /** A call that was not held after all gives its seat back. */
  void leave(UUID callId) {
    seats.leave(callId);
  }

  /**
   * {@code asks} counts what woke it since the try that is under way began; there is none when it
   * is zero.
   */
  private record Waiting(
      HeldCall hold, CompletableFuture<CommandResult<ResumeOutcome>> outcome, AtomicInteger asks) {}

  private ScheduledFuture<?> alarm(Waiting call) {
    Duration left = Duration.between(clock.instant(), call.hold.due());
    return timer.schedule(
        () -> tryAgain(call), Math.max(0, left.toMillis()) + 1, TimeUnit.MILLISECONDS);
  }

  /**
   * One try at a time: of two, the one that came to nothing could be heard first, and the other
   * would go upstream in the journal only.
   */
  private void tryAgain(@Nullable Waiting call) {
    if (call != null && !call.outcome.isDone() && call.asks.getAndIncrement() == 0) {
      tryNow(call);
    }
  }

  private void tryNow(Waiting call) {
    int answered = call.asks.get();
    Instant now = clock.instant();
    CompletableFuture<Void> _ =
        commandSender
            .of(new ResumeCall(call.hold, rules.get(), now), ResumeOutcome.class)
            .handle((commandResult, failure) -> tried(call, now, commandResult, failure))
            .thenRun(() -> {
              if (call.asks.addAndGet(-answered) > 0 && !call.outcome.isDone()) {
                tryNow(call);
              }
            });
  }

  /** Nobody who left a task here is there to be told that nothing can be recorded. */
  private static boolean hasTime(HeldCall heldCall, Instant at) {
    return heldCall.isTask() || at.isBefore(heldCall.due());
  }

  private static @Nullable Void tried(
      Waiting call,
      Instant at,
      @Nullable CommandResult<ResumeOutcome> commandResult,
      @Nullable Throwable failure) {
    if (failure != null) {
      call.outcome.completeExceptionally(failure);
    } else if (commandResult instanceof CommandResult.Not<ResumeOutcome>
        && hasTime(call.hold, at)) {
      return null; // the next try may be recorded
    } else if (!(commandResult
        instanceof CommandResult.Done<ResumeOutcome>(ResumeOutcome.StillHeld _))) {
      call.outcome.complete(commandResult);
    }
    return null;
  }
}
