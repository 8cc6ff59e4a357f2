package gatebook.api.gateway;

import gatebook.api.rpc.RpcMessage;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Aside;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.command.call.AbandonCall;
import gatebook.command.call.HeldCall;
import gatebook.command.call.Intent;
import gatebook.command.call.ReceiveCall;
import gatebook.command.call.ResumeOutcome;
import gatebook.command.call.RetryCall;
import gatebook.command.call.SettleCall;
import gatebook.command.call.SettleCall.Ending;
import gatebook.command.call.SettleOutcome;
import gatebook.command.call.SettleTask;
import gatebook.command.rules.Source;
import gatebook.events.CallAbandoned;
import gatebook.events.CallAnswered;
import gatebook.events.TaskCreated;
import gatebook.events.fault.Fault;
import gatebook.events.fault.ServerFault.InternalError;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A call that goes on without its caller: it waits for a person, goes to the source and is settled,
 * and each step begins when the one before is durable.
 */
final class BackgroundCall {

  private static final Logger LOG = LoggerFactory.getLogger(BackgroundCall.class);
  private static final long AGAIN_MILLIS = 1_000;

  private final Gateway.Tools tools;
  private final HeldCall heldCall;
  private final TaskCreated task;
  private final UnaryOperator<@Nullable String> onward;
  private final Map<String, String> headers;
  private final CompletableFuture<Void> over = new CompletableFuture<>();
  private volatile @Nullable CompletableFuture<Ended> underWay;
  private volatile boolean cancelled;
  private volatile int attempts;
  private int waiters;
  private @Nullable ScheduledFuture<?> patience;

  /**
   * @param onward makes of the params of a task those of a call that is answered
   * @param headers go to the source
   */
  BackgroundCall(
      Gateway.Tools tools,
      HeldCall heldCall,
      TaskCreated task,
      UnaryOperator<@Nullable String> onward,
      Map<String, String> headers) {
    this.tools = tools;
    this.heldCall = heldCall;
    this.task = task;
    this.onward = onward;
    this.headers = headers;
  }

  /** Completed when there is nothing more to do, and how it ended is recorded. */
  CompletableFuture<Void> over() {
    return over;
  }

  void begin() {
    CompletableFuture<Void> _ =
        tools
            .holds()
            .hold(heldCall)
            .thenCompose(this::resumed)
            .handle((_, failure) -> {
              if (failure != null) {
                LOG.atError()
                    .addKeyValue("call_id", task.callId())
                    .setCause(failure)
                    .log("a task cannot go on: the next start takes it over");
              }
              over.complete(null);
              return null;
            });
  }

  private CompletableFuture<Void> resumed(CommandResult<ResumeOutcome> commandResult) {
    return switch (commandResult) {
      case CommandResult.Done<ResumeOutcome>(ResumeOutcome.Forwarded(var source)) ->
          forward(source);
      case CommandResult.Done<ResumeOutcome>(
              ResumeOutcome.Refused(var fault, var errorResponse, var denial)) -> {
        if (denial != null) {
          tools.errors().denied(fault, denial);
        }
        tools.errors().told(names(), message(), context(), fault, errorResponse);
        yield CompletableFuture.completedFuture(null);
      }
      case CommandResult.Done<ResumeOutcome>(ResumeOutcome.Gone _),
          CommandResult.Done<ResumeOutcome>(ResumeOutcome.StillHeld _) ->
          CompletableFuture.completedFuture(null);
      case CommandResult.Not<ResumeOutcome> _ ->
          throw new IllegalStateException("a task is held until something is recorded of it");
    };
  }

  private CompletableFuture<Void> forward(Source source) {
    attempts = 1;
    Instant sentAt = tools.clock().instant();
    RoutingSnapshot now = tools.ground().get();
    CompletableFuture<Ended> answer =
        tools
            .attempts()
            .call(
                now.upstream(source),
                outgoing(),
                Aside.NOBODY,
                (attempt, why) -> attemptAgain(source, attempt, why));
    underWay = answer;
    if (cancelled) {
      answer.cancel(false);
    }
    return answer
        .handle((ended, failure) -> ending(source, now, ended, failure))
        .thenCompose(ending -> settle(settlement(ending, millisSince(sentAt))));
  }

  private Upstream.Call outgoing() {
    return new Upstream.Call(
        call().rpcId(), call().method(), onward.apply(call().params()), false, headers);
  }

  private CompletableFuture<Boolean> attemptAgain(Source source, int attempt, String why) {
    return tools
        .decisions()
        .of(new RetryCall(task.callId(), source, attempt, why), Boolean.class)
        .thenApply(commandResult -> {
          boolean goesOn = commandResult instanceof CommandResult.Done<Boolean> && !cancelled;
          attempts = goesOn ? attempt : attempts;
          return goesOn;
        });
  }

  private Ending ending(
      Source source, RoutingSnapshot now, @Nullable Ended ended, @Nullable Throwable failure) {
    return switch (ended) {
      case null -> new Ending.Failure(internal(failure));
      case Ended.Result(var json, boolean toolError, var missing) ->
          new Ending.Result(CallAnswered.Outcome.of(toolError), json, missing, now.rules());
      case Ended.Accepted() -> new Ending.Result(CallAnswered.Outcome.SUCCESS, "{}", now.rules());
      case Ended.Failure(var fault) -> new Ending.Failure(fault);
      case Ended.ToldBefore(var fault, _) -> new Ending.Failure(fault);
      case Ended.ForeignError error ->
          new Ending.Failure(tools.foreignErrors().apply(source, error));
    };
  }

  private Fault internal(@Nullable Throwable failure) {
    LOG.atError()
        .addKeyValue("call_id", task.callId())
        .setCause(failure)
        .log("unforeseen failure while forwarding a task");
    return new InternalError(
        "forwarding a task", failure == null ? "?" : failure.getClass().getSimpleName());
  }

  private SettleTask settlement(Ending ending, long upstreamMillis) {
    SettleCall settlement =
        new SettleCall(
            task.callId(),
            call().correlationId(),
            call().tongue(),
            call().receivedAt(),
            heldCall.asked().target(),
            ending,
            attempts,
            upstreamMillis);
    return new SettleTask(task.taskId(), settlement);
  }

  /** Nobody waits for an answer, so that it is tried until it is recorded. */
  private CompletableFuture<Void> settle(SettleTask command) {
    return tools
        .decisions()
        .of(command, SettleTask.Outcome.class)
        .thenCompose(commandResult ->
            switch (commandResult) {
              case CommandResult.Done<SettleTask.Outcome>(var outcome) -> {
                tell(outcome);
                yield CompletableFuture.completedFuture(null);
              }
              case CommandResult.Not<SettleTask.Outcome> _ ->
                  later().thenCompose(_ -> settle(command));
            });
  }

  private void tell(SettleTask.Outcome outcome) {
    if (outcome
        instanceof SettleTask.Outcome.Settled(SettleOutcome.Failed(var fault, var errorResponse))) {
      tools.errors().told(names(), message(), context(), fault, errorResponse);
    }
  }

  private CompletableFuture<Void> later() {
    CompletableFuture<Void> later = new CompletableFuture<>();
    ScheduledFuture<?> _ =
        tools.timer().schedule(() -> later.complete(null), AGAIN_MILLIS, TimeUnit.MILLISECONDS);
    return later;
  }

  /** What is recorded of it says that it is over: nothing more is done. */
  void cancel() {
    cancelled = true;
    tools.holds().forget(task.callId());
    CompletableFuture<Ended> answer = underWay;
    if (answer != null) {
      answer.cancel(false);
    }
  }

  /** Somebody waits for it. */
  synchronized void awaited() {
    waiters++;
    if (patience != null) {
      patience.cancel(false);
      patience = null;
    }
  }

  /** Somebody waits no longer, and may come back. */
  synchronized void left() {
    waiters--;
    expectReturn();
  }

  /** Whoever has to send his call again for it to go on has to do so before long. */
  synchronized void expectReturn() {
    if (task.form() == TaskCreated.Form.AGAIN && waiters == 0 && !over.isDone()) {
      patience =
          tools
              .timer()
              .schedule(
                  this::abandon,
                  tools.ground().get().rules().limits().heldAwayMillisMax(),
                  TimeUnit.MILLISECONDS);
    }
  }

  private synchronized void abandon() {
    if (waiters == 0) {
      cancel();
      tools
          .outages()
          .record(
              new AbandonCall(
                  task.callId(),
                  CallAbandoned.Cause.DISCONNECTED,
                  task.createdAt(),
                  tools.clock().instant()));
    }
  }

  private ReceiveCall call() {
    return heldCall.call();
  }

  /** What the caller sent, as far as it was kept. */
  private RpcMessage message() {
    return new RpcMessage.Request(
        Objects.requireNonNull(call().rpcId(), "a notification is no task"),
        call().method(),
        call().params());
  }

  private CallContext context() {
    String principal = call().principal().name();
    return call().aim() instanceof Intent.Act act
        ? CallContext.of(
            principal,
            call().method(),
            act,
            tools.ground().get().rules(),
            tools.telling().names()::scrub,
            task.taskId())
        : new CallContext(principal, task.taskId());
  }

  private CallIds names() {
    return new CallIds(
        call().callId(), call().correlationId(), call().traceId(), call().tongue().version());
  }

  private long millisSince(Instant from) {
    return Math.max(0, Duration.between(from, tools.clock().instant()).toMillis());
  }
}
