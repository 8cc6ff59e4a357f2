package gatebook.api.gateway;

import gatebook.api.gateway.SourceForwarder.UpstreamRequest;
import gatebook.api.gateway.message.CallIds;
import gatebook.api.gateway.message.CallObserver.TaskStep;
import gatebook.api.gateway.message.ClientChannel;
import gatebook.api.gateway.message.CommandResult;
import gatebook.api.gateway.message.DialectHandler;
import gatebook.api.gateway.message.DialectHandler.ClientContext;
import gatebook.api.gateway.message.DialectHandler.SourceRoute;
import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.api.gateway.report.CallLogContext;
import gatebook.api.rpc.RpcMessage;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.Upstream.MessageListener;
import gatebook.command.call.AbandonCall;
import gatebook.command.call.CallOutcome;
import gatebook.command.call.HeldCall;
import gatebook.command.call.Intent;
import gatebook.command.call.ReceiveCall;
import gatebook.command.call.approval.ResumeOutcome;
import gatebook.command.call.task.SettleTask;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.events.CallAbandoned;
import gatebook.events.TaskCreated;
import gatebook.events.fault.Fault;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A background call, which runs on without its caller: it waits for approval, is forwarded to its
 * source and settled. Each step begins when the one before is durable.
 */
final class BackgroundCall {

  private static final Logger LOG = LoggerFactory.getLogger(BackgroundCall.class);
  private static final long RETRY_MILLIS = 1_000;

  private final GatewayCore.Services services;
  private final ReceiveCall call;
  private final TaskCreated task;
  private final DialectHandler dialectHandler;
  private final Map<String, String> headers;
  private final CompletableFuture<Void> completion = new CompletableFuture<>();
  private final CompletableFuture<Void> resumption = new CompletableFuture<>();
  private volatile @Nullable CompletableFuture<Ended> pendingAnswer;
  private final CallProgress progress = new CallProgress();
  private final SourceForwarder sourceForwarder;
  private int waiters;
  private @Nullable ScheduledFuture<?> abandonTimer;

  /**
   * A call that is recorded as deferred.
   *
   * @param dialectHandler of the call's dialect
   * @param headers for the source
   */
  BackgroundCall(
      GatewayCore.Services services,
      ReceiveCall call,
      TaskCreated task,
      DialectHandler dialectHandler,
      Map<String, String> headers) {
    this.services = services;
    this.call = call;
    this.task = task;
    this.dialectHandler = dialectHandler;
    this.headers = headers;
    this.sourceForwarder =
        new SourceForwarder(
            services,
            callIds(),
            () -> call.principal().name(),
            call.dialectVersion(),
            call.receivedAt(),
            progress);
    progress.receive(call.intent() instanceof Intent.Act act ? act.target() : null);
  }

  /** Completed when the call has ended and its ending is recorded. */
  CompletableFuture<Void> completion() {
    return completion;
  }

  /** Completed when the call waits for no approval any more, or else when it has ended. */
  CompletableFuture<Void> nextChange() {
    return resumption.isDone() ? completion : resumption;
  }

  /** Holds the call until it is approved or denied, or its time is over. */
  void hold(HeldCall heldCall) {
    complete(
        services
            .heldCalls()
            .hold(heldCall)
            .whenComplete((_, _) -> resumption.complete(null))
            .thenCompose(this::resume));
  }

  /** Forwards the call now. */
  void start(Source source) {
    resumption.complete(null);
    complete(forward(source));
  }

  private void complete(CompletableFuture<Void> ended) {
    CompletableFuture<Void> _ =
        ended.handle((_, failure) -> {
          if (failure != null) {
            LOG.atError()
                .addKeyValue("call_id", task.callId())
                .setCause(failure)
                .log("a task failed to continue: the next start takes it over");
          }
          completion.complete(null);
          return null;
        });
  }

  private CompletableFuture<Void> resume(CommandResult<ResumeOutcome> commandResult) {
    return switch (commandResult) {
      case CommandResult.Stored<ResumeOutcome>(ResumeOutcome.Forwarded(var source)) ->
          forward(source);
      case CommandResult.Stored<ResumeOutcome>(
              ResumeOutcome.Refused(var fault, var errorResponse, var denial)) -> {
        if (denial != null) {
          services.errorReporter().countDenial(fault, denial);
        }
        onEnd(new CallOutcome.Failed(fault, errorResponse));
        services.errorReporter().report(callIds(), request(), logContext(), fault, errorResponse);
        yield CompletableFuture.completedFuture(null);
      }
      case CommandResult.Stored<ResumeOutcome>(ResumeOutcome.Gone _) -> {
        stop(new CallOutcome.Cancelled());
        yield CompletableFuture.completedFuture(null);
      }
      case CommandResult.Stored<ResumeOutcome>(ResumeOutcome.StillHeld _) ->
          CompletableFuture.completedFuture(null);
      case CommandResult.Refused<ResumeOutcome> _ ->
          throw new IllegalStateException("a task is held until something is recorded of it");
    };
  }

  private CompletableFuture<Void> forward(Source source) {
    Instant sentAt = services.clock().instant();
    RoutingSnapshot now = services.routingSnapshots().get();
    Runnable stopFollowing =
        services
            .recordedTaskChanges()
            .followCall(task.callId(), () -> stop(new CallOutcome.Cancelled()));
    CompletableFuture<Void> _ = completion.thenRun(stopFollowing);
    CompletableFuture<Ended> answer =
        sourceForwarder.send(source, now.rules(), () -> upstreamRequest(source, now));
    pendingAnswer = answer;
    if (progress.hasEnded()) {
      answer.cancel(false);
    }
    return task.form() == TaskCreated.Form.OWN
        ? settled(answer, sentAt, now)
        : inFlight(
            settled(
                services
                    .callsInFlight()
                    .orWhenStopping(
                        CallsInFlight.Wait.ANSWER,
                        answer,
                        () -> CompletableFuture.completedFuture(sourceForwarder.stopped())),
                sentAt,
                now));
  }

  private CompletableFuture<Void> inFlight(CompletableFuture<Void> settled) {
    services.callsInFlight().begin();
    return settled.whenComplete((_, _) -> services.callsInFlight().end());
  }

  private CompletableFuture<Void> settled(
      CompletableFuture<Ended> answer, Instant sentAt, RoutingSnapshot now) {
    return answer
        .handle(this::toSettle)
        .thenCompose(ended ->
            ended == null
                ? CompletableFuture.completedFuture(null)
                : settle(
                    settleCommand(ended, sourceForwarder.millisSince(sentAt), now.rules()),
                    now.rules()));
  }

  /** Null for a call that was stopped; the code that stops a call records its end. */
  private @Nullable Ended toSettle(@Nullable Ended answer, @Nullable Throwable failure) {
    return failure == null
        ? answer
        : progress.hasEnded() ? null : new Ended.Failure(internalError(failure));
  }

  private UpstreamRequest upstreamRequest(Source source, RoutingSnapshot now) {
    SourceRoute route =
        dialectHandler.backgroundRoute(
            call,
            task,
            source,
            new ClientContext(call.callId(), call.principal().name(), now, ClientChannel.NONE));
    return new UpstreamRequest(
        route.upstream(),
        new Upstream.Call(call.rpcId(), route.method(), route.params(), false, headers),
        MessageListener.NONE);
  }

  private Fault internalError(Throwable failure) {
    LOG.atError()
        .addKeyValue("call_id", task.callId())
        .setCause(failure)
        .log("unforeseen failure while forwarding a task");
    return ServerFaults.of("forwarding a task", failure);
  }

  /** The caller gets the result later, so there is one also where the source only accepted. */
  private SettleTask settleCommand(Ended ended, long upstreamMillis, Rules rules) {
    Ended whole = ended instanceof Ended.Accepted ? new Ended.Result("{}", false) : ended;
    return new SettleTask(
        task.taskId(),
        sourceForwarder.settleCommand(sourceForwarder.ending(whole, rules), upstreamMillis, rules));
  }

  /** Retries until the ending is recorded, because no caller waits for an error. */
  private CompletableFuture<Void> settle(SettleTask command, Rules rules) {
    return services
        .commandSender()
        .send(command, CallOutcome.class, rules)
        .thenCompose(commandResult ->
            switch (commandResult) {
              case CommandResult.Stored<CallOutcome>(var outcome) -> {
                onSettled(outcome);
                yield CompletableFuture.completedFuture(null);
              }
              case CommandResult.Refused<CallOutcome> _ -> {
                dialectHandler.observer().onTaskStored(TaskStep.END, false);
                yield delay().thenCompose(_ -> settle(command, rules));
              }
            });
  }

  private void onSettled(CallOutcome outcome) {
    switch (outcome) {
      case CallOutcome.Answered _ -> onEnd(outcome);
      case CallOutcome.Failed(var fault, var errorResponse) -> {
        onEnd(outcome);
        services.errorReporter().report(callIds(), request(), logContext(), fault, errorResponse);
      }
      case CallOutcome.Cancelled _, CallOutcome.Abandoned _ -> stop(outcome);
    }
  }

  private void onEnd(CallOutcome outcome) {
    dialectHandler.observer().onTaskStored(TaskStep.END, true);
    dialectHandler.observer().onOutcome(call.method(), outcome);
  }

  private CompletableFuture<Void> delay() {
    CompletableFuture<Void> delay = new CompletableFuture<>();
    ScheduledFuture<?> _ =
        services.timer().schedule(() -> delay.complete(null), RETRY_MILLIS, TimeUnit.MILLISECONDS);
    return delay;
  }

  /** Stops the call, whose end is recorded by others, with this outcome. */
  void stop(CallOutcome outcome) {
    if (progress.end()) {
      dialectHandler.observer().onOutcome(call.method(), outcome);
    }
    services.heldCalls().forget(task.callId());
    CompletableFuture<Ended> answer = pendingAnswer;
    if (answer != null) {
      answer.cancel(false);
    }
  }

  /** A caller waits for the call. */
  synchronized void addWaiter() {
    waiters++;
    if (abandonTimer != null) {
      abandonTimer.cancel(false);
      abandonTimer = null;
    }
  }

  /** A caller stops waiting, and may come back. */
  synchronized void removeWaiter() {
    waiters--;
    expectReturn();
  }

  /** Abandons the call if its caller has to come back for it and does not, after some time. */
  synchronized void expectReturn() {
    if (task.form() == TaskCreated.Form.AGAIN && waiters == 0 && !completion.isDone()) {
      GatewayLimits limits = services.routingSnapshots().get().rules().limits();
      abandonTimer =
          services
              .timer()
              .schedule(
                  this::abandon, limits.get(Limit.HELD_AWAY_MILLIS_MAX), TimeUnit.MILLISECONDS);
    }
  }

  private synchronized void abandon() {
    if (waiters == 0) {
      stop(new CallOutcome.Abandoned());
      services
          .outageRecorder()
          .record(
              new AbandonCall(
                  task.callId(),
                  CallAbandoned.Cause.DISCONNECTED,
                  task.createdAt(),
                  services.clock().instant()));
    }
  }

  /** The caller's request, as far as it was stored. */
  private RpcMessage request() {
    return new RpcMessage.Request(
        Objects.requireNonNull(call.rpcId(), "a notification is no task"),
        call.method(),
        call.params());
  }

  private CallLogContext logContext() {
    String principal = call.principal().name();
    CallLogContext context =
        call.intent() instanceof Intent.Act act
            ? CallLogContext.of(
                principal,
                call.method(),
                act,
                services.routingSnapshots().get().rules(),
                services.faultTranslator().nameScrubber()::scrub,
                task.taskId())
            : new CallLogContext(principal, task.taskId());
    return context.withOperation(dialectHandler.operation(call.method()));
  }

  private CallIds callIds() {
    return new CallIds(
        call.callId(), call.correlationId(), call.traceId(), call.dialectVersion().version());
  }
}
