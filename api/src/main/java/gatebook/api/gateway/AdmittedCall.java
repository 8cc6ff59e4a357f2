package gatebook.api.gateway;

import static gatebook.api.gateway.CallForwarder.done;

import gatebook.api.gateway.BackgroundCalls.OwnTasks;
import gatebook.api.gateway.SourceForwarder.UpstreamRequest;
import gatebook.api.gateway.message.CallObserver.TaskStep;
import gatebook.api.gateway.message.CallerConnection;
import gatebook.api.gateway.message.CallerTasks;
import gatebook.api.gateway.message.ClientChannel;
import gatebook.api.gateway.message.CommandResult;
import gatebook.api.gateway.message.DialectHandler;
import gatebook.api.gateway.message.DialectHandler.DialectCall;
import gatebook.api.gateway.message.DialectHandler.SourceRoute;
import gatebook.api.gateway.message.Reply;
import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.CancellableStep;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.command.call.CallOutcome;
import gatebook.command.call.HeldCall;
import gatebook.command.call.ReceiveCall;
import gatebook.command.call.TaskId;
import gatebook.command.call.TaskState;
import gatebook.command.call.approval.ResumeOutcome;
import gatebook.command.call.task.TaskStatus;
import gatebook.command.rules.Limit;
import gatebook.command.rules.Source;
import gatebook.events.TaskCreated;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import gatebook.events.fault.TaskFault;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A call that is recorded and that no gate denied: answers it here, forwards it to its source, or
 * holds it until it is approved.
 */
final class AdmittedCall {

  private final GatewayCore.Services services;
  private final BackgroundCalls backgroundCalls;
  private final ReceivedMessage message;
  private final DialectCall call;
  private final ReplyBuilder replyBuilder;
  private final CallForwarder forwarder;

  AdmittedCall(
      GatewayCore.Services services,
      BackgroundCalls backgroundCalls,
      ReceivedMessage message,
      ReplyBuilder replyBuilder) {
    this.services = services;
    this.backgroundCalls = backgroundCalls;
    this.message = message;
    this.call = message.call();
    this.replyBuilder = replyBuilder;
    this.forwarder = new CallForwarder(services, message, replyBuilder);
  }

  /** Answers the call here. */
  CompletableFuture<Reply> answer() {
    if (message.rpcId() == null) {
      message.handler().onNotification(call, answerContext());
      return done(replyBuilder.accepted());
    }
    return forwarder.settleWhenAnswered(
        message.handler().answer(call, answerContext()),
        message.incoming().caller().connection(),
        ended -> forwarder.settle(ended, null));
  }

  /** Answers a duplicate message with the present state of the task of the first one. */
  CompletableFuture<Reply> answerDuplicate(TaskId task) {
    long waitMillis = message.handler().taskWaitMillis(call);
    if (waitMillis > 0) {
      message.incoming().channel().expectLongWait();
    }
    return forwarder.settleWhenAnswered(
        CallerTasks.ended(
            backgroundCalls.tasksOf(message.principalName()).await(task, waitMillis, _ -> true),
            status ->
                status instanceof TaskStatus.Known known
                    ? duplicate(known, waitMillis > 0)
                    : new Ended.Failure(new TaskFault.TaskNotFound(task.text()))),
        message.incoming().caller().connection(),
        ended -> forwarder.settle(ended, null));
  }

  /** A caller that waits gets a denial as the first one did. */
  private Ended duplicate(TaskStatus.Known known, boolean isAwaited) {
    if (isAwaited
        && known.state() instanceof CallOutcome.Failed(var fault, _)
        && fault.gate().isPresent()) {
      return new Ended.Failure(fault);
    }
    message.handler().observer().onTask(call, known, answerContext());
    return new Ended.Result(message.handler().deferredResult(call, known), false);
  }

  private DialectHandler.AnswerContext answerContext() {
    return new DialectHandler.AnswerContext(
        message.callId(),
        message.ids().correlationId(),
        message.principalName(),
        message.snapshot(),
        message.rpcId(),
        message.forwardedHeaders(),
        message.incoming().channel(),
        this::send,
        backgroundCalls.tasksOf(message.principalName()));
  }

  /** Sends a request that no gate governs to a source, without retries. */
  private CompletableFuture<Ended> send(Source source, String method, @Nullable String params) {
    return CancellableStep.after(
        route(source, message.snapshot())
            .upstream()
            .call(upstreamCall(method, params), listener(source)),
        response -> forwarder.withOwnFault(source, Upstream.ended(source, response)));
  }

  /** Holds the call until it is approved or denied, or its time is over, and then resumes it. */
  CompletableFuture<Reply> hold(HeldCall heldCall) {
    // before the watch begins: a call that is not listed yet cannot be forgotten
    CompletableFuture<CommandResult<ResumeOutcome>> resumption =
        services.heldCalls().hold(heldCall, replyBuilder::closing);
    CallerConnection.Watch watch =
        message
            .incoming()
            .caller()
            .connection()
            .strict()
            .onDisconnect(cause ->
                forwarder.abandon(cause, () -> services.heldCalls().forget(message.callId())));
    message.incoming().channel().expectLongWait();
    return resumption
        .whenComplete((_, _) -> {
          watch.end();
          message.incoming().channel().endLongWait();
        })
        .thenCompose(commandResult ->
            switch (commandResult) {
              case CommandResult.Refused<ResumeOutcome>(var refusal) ->
                  done(replyBuilder.unrecorded(refusal));
              case CommandResult.Stored<ResumeOutcome>(var outcome) -> resume(outcome);
            });
  }

  private CompletableFuture<Reply> resume(ResumeOutcome outcome) {
    return switch (outcome) {
      case ResumeOutcome.Forwarded(var source) ->
          message.progress().hasEnded()
              ? done(replyBuilder.accepted())
              : forward(source, services.routingSnapshots().get());
      case ResumeOutcome.Refused(var fault, var errorResponse, var denial) ->
          done(replyBuilder.error(fault, errorResponse, denial));
      // the caller disconnected, or it is unknown whether to forward the call: then it is not
      case ResumeOutcome.Gone() ->
          done(
              message.progress().hasEnded()
                  ? replyBuilder.accepted()
                  : replyBuilder.unrecorded(new ServiceUnavailable(Cause.JOURNAL, null), true));
      case ResumeOutcome.StillHeld() ->
          throw new IllegalStateException("a call that is still held goes nowhere");
    };
  }

  /**
   * Runs the call as a background call. The reply says where its outcome can be fetched, at once or
   * after a wait.
   */
  CompletableFuture<Reply> defer(HeldCall heldCall, TaskCreated task) {
    onTask();
    BackgroundCall backgroundCall =
        backgroundCalls.hold(heldCall, task, message.forwardedHeaders());
    message.runOn();
    TaskId taskId = new TaskId(task.taskId(), task.callId());
    OwnTasks tasks = backgroundCalls.tasksOf(heldCall.call().principal().name());
    return switch (task.form()) {
      case TASK -> taskReply(waiting(heldCall, task));
      case AGAIN ->
          await(
              backgroundCall,
              orStatusWhenStopping(
                  tasks.await(
                      taskId,
                      message.rules().limits().get(Limit.HELD_ANSWER_MILLIS_MAX),
                      _ -> true),
                  tasks,
                  taskId));
      case OWN -> await(backgroundCall, tasks.awaitEnd(taskId));
    };
  }

  /** Forwards the call now, as a background call. */
  CompletableFuture<Reply> start(ReceiveCall call, Source source, TaskCreated task) {
    onTask();
    backgroundCalls.start(call, source, task, message.forwardedHeaders());
    message.runOn();
    return taskReply(
        new TaskStatus.Known(
            task,
            new TaskState.Working(),
            task.createdAt(),
            task.createdAt(),
            task.createdAt(),
            task.createdAt(),
            call.params()));
  }

  private void onTask() {
    replyBuilder.leaveOutcomeToTask();
    message.handler().observer().onTaskStored(TaskStep.CREATION, true);
  }

  /**
   * The reply shows the task as it is, after a wait if the caller wants to wait. The caller gets
   * the same error response for a denial as one without a task.
   */
  private CompletableFuture<Reply> taskReply(TaskStatus.Known known) {
    message.handler().observer().onTask(call, known, answerContext());
    long waitMillis = message.handler().taskWaitMillis(call);
    if (waitMillis == 0) {
      return done(shown(known));
    }
    message.incoming().channel().expectLongWait();
    OwnTasks tasks = backgroundCalls.tasksOf(message.principalName());
    TaskId task = new TaskId(known.task().taskId(), known.task().callId());
    return orStatusWhenStopping(tasks.await(task, waitMillis, _ -> true), tasks, task)
        .thenApply(found -> statusReply(found, this::awaited));
  }

  /** Its caller comes back for the task, to this node or to the next one. */
  private CompletableFuture<CommandResult<TaskStatus>> orStatusWhenStopping(
      CompletableFuture<CommandResult<TaskStatus>> awaited, OwnTasks tasks, TaskId task) {
    return services
        .callsInFlight()
        .orWhenStopping(CallsInFlight.Wait.LONG, awaited, () -> tasks.status(task));
  }

  private Reply awaited(TaskStatus.Known known) {
    return known.state() instanceof CallOutcome.Failed(var fault, var errorResponse)
            && fault.gate().isPresent()
        ? replyBuilder.recorded(errorResponse)
        : shown(known);
  }

  private Reply shown(TaskStatus.Known known) {
    return replyBuilder.result(message.handler().deferredResult(call, known));
  }

  private static TaskStatus.Known waiting(HeldCall heldCall, TaskCreated task) {
    return new TaskStatus.Known(
        task,
        new TaskState.Waiting(),
        null,
        task.createdAt(),
        heldCall.due(),
        task.createdAt(),
        heldCall.call().params());
  }

  /** A caller that disconnects before it knows where to come back abandons the call. */
  private CompletableFuture<Reply> await(
      BackgroundCall backgroundCall, CompletableFuture<CommandResult<TaskStatus>> status) {
    CallerConnection.Watch watch =
        message
            .incoming()
            .caller()
            .connection()
            .strict()
            .onDisconnect(cause ->
                forwarder.abandon(cause, () -> backgroundCall.stop(new CallOutcome.Abandoned())));
    message.incoming().channel().expectLongWait();
    CompletableFuture<Void> _ =
        backgroundCall.nextChange().thenRun(message.incoming().channel()::endLongWait);
    return status
        .whenComplete((_, _) -> watch.end())
        .thenApply(found ->
            message.progress().end() ? statusReply(found, this::outcome) : replyBuilder.accepted());
  }

  private Reply statusReply(
      CommandResult<TaskStatus> found, Function<TaskStatus.Known, Reply> toReply) {
    return switch (found) {
      case CommandResult.Refused<TaskStatus>(var refusal) -> replyBuilder.unrecorded(refusal);
      case CommandResult.Stored<TaskStatus>(TaskStatus.Known known) -> toReply.apply(known);
      case CommandResult.Stored<TaskStatus>(TaskStatus.Unknown _),
          CommandResult.Stored<TaskStatus>(TaskStatus.Expired _) ->
          throw new IllegalStateException("a task that was just recorded is there");
    };
  }

  private Reply outcome(TaskStatus.Known known) {
    return switch (known.state()) {
      case TaskState.Waiting(), TaskState.Working() -> shown(known);
      case CallOutcome.Answered(_, var result) -> replyBuilder.result(result);
      case CallOutcome.Failed(_, var errorResponse) -> replyBuilder.recorded(errorResponse);
      // the request that cancelled it got the response to that; this one needs none
      case CallOutcome.Cancelled _, CallOutcome.Abandoned _ -> replyBuilder.accepted();
    };
  }

  /** Forwards the call to its source, under the snapshot of now, and settles it. */
  CompletableFuture<Reply> forward(Source source, RoutingSnapshot now) {
    CompletableFuture<Reply> settled =
        forwarder.forward(
            source,
            () -> upstreamRequest(source, now),
            connection(),
            ended ->
                message.handler().observer().onEnded(call, source, message.principalName(), ended));
    return message.rpcId() == null ? acceptAtOnce(settled) : settled;
  }

  /** The sender of a notification may disconnect: it waits for no response. */
  private CallerConnection connection() {
    return message.rpcId() == null
        ? CallerConnection.UNOBSERVED
        : message.incoming().caller().connection();
  }

  /** A notification is accepted when it is recorded; its outcome is recorded later. */
  private CompletableFuture<Reply> acceptAtOnce(CompletableFuture<Reply> settled) {
    message.runOn();
    services.callsInFlight().begin();
    CompletableFuture<Reply> _ =
        replyBuilder
            .neverFailing(settled, forwarder::fail)
            .whenComplete((_, _) -> {
              services.quotas().end(message.callId());
              services.callsInFlight().end();
            });
    return done(replyBuilder.accepted());
  }

  private UpstreamRequest upstreamRequest(Source source, RoutingSnapshot now) {
    SourceRoute route = route(source, now);
    return new UpstreamRequest(
        route.upstream(), upstreamCall(route.method(), route.params()), listener(source));
  }

  private SourceRoute route(Source source, RoutingSnapshot now) {
    return message
        .handler()
        .route(
            call,
            source,
            new DialectHandler.ClientContext(
                message.callId(), message.principalName(), now, message.incoming().channel()));
  }

  private Upstream.Call upstreamCall(String method, @Nullable String params) {
    return new Upstream.Call(
        message.rpcId(),
        method,
        params,
        message.rpcId() == null,
        message.forwardedHeaders(),
        Objects.equals(params, call.params()) ? call.members() : ObjectMembers.of(params));
  }

  private Upstream.MessageListener listener(Source source) {
    ClientChannel channel = message.incoming().channel();
    return channel.acceptsMessages()
        ? new ServerMessageRecorder(
            services,
            channel,
            message.callId(),
            message.principalName(),
            source,
            message.snapshot())
        : Upstream.MessageListener.NONE;
  }
}
