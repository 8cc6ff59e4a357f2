package gatebook.api.gateway;

import gatebook.api.gateway.message.CommandResult;
import gatebook.api.gateway.quota.NodeQuotas;
import gatebook.command.call.CallQuotas.QuotaRequest;
import gatebook.command.call.CloseUnrecordedCall;
import gatebook.command.call.HeldCall;
import gatebook.command.call.approval.ResumeCall;
import gatebook.command.call.approval.ResumeOutcome;
import gatebook.command.rules.Rules;
import gatebook.events.fault.Fault;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
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
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The held calls of this node, which wait for approval. Each is resumed when an operator decided,
 * when its time is up and when the rules change; what is recorded then, not the trigger, says how
 * it goes on.
 */
public final class HeldCalls {

  private final CommandSender commandSender;
  private final Supplier<Rules> rules;
  private final InstantSource clock;
  private final ScheduledExecutorService timer;
  private final NodeQuotas quotas;
  private final Map<UUID, Hold> holds = new ConcurrentHashMap<>();
  private volatile boolean isStopping;

  HeldCalls(
      CommandSender commandSender,
      Supplier<Rules> rules,
      InstantSource clock,
      ScheduledExecutorService timer,
      NodeQuotas quotas) {
    this.commandSender = commandSender;
    this.rules = rules;
    this.clock = clock;
    this.timer = timer;
    this.quotas = quotas;
  }

  /** Tries to resume a call about which an operator decided, here or at another node. */
  public void onDecision(UUID callId) {
    requestResume(holds.get(callId));
  }

  /** Tries to resume all calls: the rules changed, or a decision may have come at another node. */
  public void resumeAll() {
    quotas.handOutHolds();
    holds.values().forEach(this::requestResume);
  }

  /** Ends the calls whose callers wait: no person decides before the node has stopped. */
  void stop() {
    isStopping = true;
    resumeAll();
  }

  /** The number of held calls. */
  public int count() {
    return quotas.heldCount();
  }

  /** Holds a task, also when the node stops. */
  CompletableFuture<CommandResult<ResumeOutcome>> hold(HeldCall heldCall) {
    return hold(heldCall, null);
  }

  /**
   * Holds a call; completed with how it goes on, once that is recorded or was refused.
   *
   * @param closing closes it with a fault when the node stops; absent for a task
   */
  CompletableFuture<CommandResult<ResumeOutcome>> hold(
      HeldCall heldCall, @Nullable Function<Fault, CloseUnrecordedCall> closing) {
    UUID callId = heldCall.call().callId();
    Hold call = new Hold(heldCall, closing, new CompletableFuture<>(), new AtomicInteger());
    CompletableFuture<CommandResult<ResumeOutcome>> resumption =
        call.outcome.whenComplete((_, _) -> {
          holds.remove(callId);
          release(callId);
        });
    holds.put(callId, call);
    schedule(call);
    return resumption;
  }

  /** A call that cannot be scheduled ends, so that its quota is released. */
  private void schedule(Hold call) {
    try {
      ScheduledFuture<?> timeout = scheduleTimeout(call);
      CompletableFuture<CommandResult<ResumeOutcome>> _ =
          call.outcome.whenComplete((_, _) -> timeout.cancel(false));
      requestResume(call); // a decision may have been made before the call was listed here
    } catch (RuntimeException e) {
      call.outcome.completeExceptionally(e);
    }
  }

  /** Ends the hold of a call whose caller disconnected. */
  void forget(UUID callId) {
    Hold call = holds.get(callId);
    if (call != null) {
      call.outcome.complete(new CommandResult.Stored<>(new ResumeOutcome.Gone()));
    }
  }

  /** Takes quota for a call of this source that an earlier process held, also beyond the limit. */
  void reserve(HeldCall heldCall, @Nullable String source) {
    quotas.takeAnyway(QuotaRequest.ofHeld(heldCall.call(), source, rules.get()));
  }

  /** Completed with whether a call has quota, which it may not get before its task is cancelled. */
  CompletableFuture<Boolean> awaitRoom(UUID callId, String principal) {
    return quotas.awaitHold(callId, principal, () -> rules.get().limits());
  }

  /** A call that waits for quota does not want it any more. */
  void giveUp(UUID callId) {
    quotas.giveUpHold(callId);
  }

  /** Releases the quota of a call that is not held after all. */
  void release(UUID callId) {
    quotas.releaseHold(callId);
  }

  /**
   * A held call.
   *
   * @param closing closes it with a fault; absent for a task
   * @param requests to resume it, since the running attempt began; no attempt runs when it is zero
   */
  private record Hold(
      HeldCall heldCall,
      @Nullable Function<Fault, CloseUnrecordedCall> closing,
      CompletableFuture<CommandResult<ResumeOutcome>> outcome,
      AtomicInteger requests) {}

  private ScheduledFuture<?> scheduleTimeout(Hold call) {
    Duration left = Duration.between(clock.instant(), call.heldCall.due());
    return timer.schedule(
        () -> requestResume(call), Math.max(0, left.toMillis()) + 1, TimeUnit.MILLISECONDS);
  }

  /**
   * One attempt at a time: of two, the one that changed nothing could complete first, and the other
   * would be forwarded in the journal only.
   */
  private void requestResume(@Nullable Hold call) {
    if (call != null && !call.outcome.isDone() && call.requests.getAndIncrement() == 0) {
      resume(call);
    }
  }

  private void resume(Hold call) {
    int handled = call.requests.get();
    if (isStopping && call.closing != null) {
      close(call, call.closing.apply(new ServiceUnavailable(Cause.SHUTTING_DOWN, null)));
      return;
    }
    Instant now = clock.instant();
    Rules inForce = rules.get();
    ResumeCall command = new ResumeCall(call.heldCall, inForce.hash(), now);
    CompletableFuture<Void> _ =
        commandSender
            .send(command, ResumeOutcome.class, inForce)
            .handle(
                (commandResult, failure) -> completeUnlessHeld(call, now, commandResult, failure))
            .thenRun(() -> {
              if (call.requests.addAndGet(-handled) > 0 && !call.outcome.isDone()) {
                resume(call);
              }
            });
  }

  private void close(Hold call, CloseUnrecordedCall command) {
    CompletableFuture<Void> _ =
        commandSender
            .send(command, Boolean.class)
            .handle((result, failure) -> {
              if (failure == null) {
                call.outcome.complete(closed(command, result));
              } else {
                call.outcome.completeExceptionally(failure);
              }
              return null;
            });
  }

  private static CommandResult<ResumeOutcome> closed(
      CloseUnrecordedCall command, CommandResult<Boolean> result) {
    return switch (result) {
      case CommandResult.Refused<Boolean>(var refusal) -> new CommandResult.Refused<>(refusal);
      case CommandResult.Stored<Boolean>(var wasOpen) ->
          new CommandResult.Stored<>(
              wasOpen
                  ? new ResumeOutcome.Refused(command.fault(), command.errorResponse(), null)
                  : new ResumeOutcome.Gone());
    };
  }

  /** A task keeps trying: it has no waiting caller that could get the error. */
  private static boolean hasTime(HeldCall heldCall, Instant at) {
    return heldCall.isTask() || at.isBefore(heldCall.due());
  }

  private static @Nullable Void completeUnlessHeld(
      Hold call,
      Instant at,
      @Nullable CommandResult<ResumeOutcome> commandResult,
      @Nullable Throwable failure) {
    if (failure != null) {
      call.outcome.completeExceptionally(failure);
    } else if (commandResult instanceof CommandResult.Refused<ResumeOutcome>
        && hasTime(call.heldCall, at)) {
      return null; // the next attempt may be recorded
    } else if (!(commandResult
        instanceof CommandResult.Stored<ResumeOutcome>(ResumeOutcome.StillHeld _))) {
      call.outcome.complete(commandResult);
    }
    return null;
  }
}
