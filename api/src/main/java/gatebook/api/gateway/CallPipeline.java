package gatebook.api.gateway;

import static gatebook.api.gateway.CallForwarder.done;
import static gatebook.api.gateway.CallForwarder.guarded;

import gatebook.api.gateway.CallerIdentities.Identity;
import gatebook.api.gateway.message.CallObserver.TaskStep;
import gatebook.api.gateway.message.CallSubject;
import gatebook.api.gateway.message.Caller;
import gatebook.api.gateway.message.CommandResult;
import gatebook.api.gateway.message.CredentialMask;
import gatebook.api.gateway.message.DialectHandler;
import gatebook.api.gateway.message.IncomingMessage;
import gatebook.api.gateway.message.Reply;
import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.api.gateway.message.TaskRun;
import gatebook.api.gateway.message.TokenVerdict;
import gatebook.api.memory.MemoryReservation;
import gatebook.api.rpc.RpcMessage;
import gatebook.command.call.Intent;
import gatebook.command.call.ReceiveCall;
import gatebook.command.call.ReceiveMessage;
import gatebook.command.call.ReceiveOutcome;
import gatebook.command.call.RefuseMessage;
import gatebook.events.call.ErrorResponse;
import gatebook.events.call.Principal;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Malformed;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Pipeline of one message: identifies its caller, checks what it wants, has the call decided and
 * recorded, and then either refuses it or passes it to an {@link AdmittedCall}. Each step begins
 * when the one before is durable, and no thread waits in between.
 */
final class CallPipeline {

  private final GatewayCore.Services services;
  private final BackgroundCalls backgroundCalls;
  private final ReceivedMessage message;
  private final IntentCheck intentCheck;
  private final ReplyBuilder replyBuilder;

  CallPipeline(
      GatewayCore core,
      DialectHandler dialectHandler,
      IncomingMessage incomingMessage,
      UUID callId) {
    this.services = core.services;
    this.backgroundCalls = core.backgroundCalls;
    RoutingSnapshot snapshot = services.routingSnapshots().get();
    this.message =
        new ReceivedMessage(
            callId, incomingMessage, dialectHandler, snapshot, services.clock().instant());
    this.intentCheck = new IntentCheck(services.quotas(), dialectHandler, snapshot);
    this.replyBuilder = new ReplyBuilder(services, message);
  }

  String correlationId() {
    return message.ids().correlationId();
  }

  UUID callId() {
    return message.callId();
  }

  CompletableFuture<Reply> reply() {
    MemoryReservation _ = message.incoming().memory().hold();
    if (message.isOfCaller()) {
      services.callsInFlight().begin();
    }
    return neverFailing(guarded(this::serve)).whenComplete((_, _) -> onReply());
  }

  private void onReply() {
    if (message.isOfCaller()) {
      services.callsInFlight().end();
    }
    if (message.isRead()) {
      message.handler().observer().onReply(message.call());
    }
    if (!message.runsOn()) {
      services.quotas().end(message.callId());
    }
    message.incoming().memory().release();
  }

  /** The reply to a message that could not be read because of a failure. */
  CompletableFuture<Reply> failed(Throwable failure) {
    return neverFailing(CompletableFuture.failedFuture(failure));
  }

  /** The reply to a message with a fault that was found elsewhere. */
  CompletableFuture<Reply> refused(Fault fault) {
    return neverFailing(guarded(() -> refuse(fault, message.rpcId())));
  }

  /** The reply to a message with a fault that cannot be recorded now. */
  Reply unrecorded(Fault fault) {
    return replyBuilder.unrecorded(fault, false);
  }

  /** The reply to a message with a fault that is only counted. */
  Reply counted(Fault fault) {
    return replyBuilder.counted(fault);
  }

  private CompletableFuture<Reply> neverFailing(CompletableFuture<Reply> reply) {
    return replyBuilder.neverFailing(reply, this::close);
  }

  private CompletableFuture<Reply> serve() {
    if (message.snapshot().obstacle() instanceof ServiceUnavailable notYet) {
      return done(replyBuilder.unrecorded(notYet, false));
    }
    return switch (message.message()) {
      case RpcMessage.Request(_, var method, var params, _) -> identify(method, params);
      case RpcMessage.Notification(var method, var params, _) -> identify(method, params);
      case RpcMessage.Unreadable(var fault, var id) -> refuse(fault, id);
    };
  }

  private CompletableFuture<Reply> identify(String method, @Nullable String params) {
    message.read(method, params);
    return switch (identity()) {
      case Identity.Unknown(var fault) ->
          refuse(intentCheck.refusal(message.call(), fault), message.rpcId());
      case Identity.Known(var principal, boolean named) -> {
        message.identify(principal.name());
        rememberOwner(principal);
        yield checked(intent(principal, named)).thenCompose(intent -> receive(principal, intent));
      }
    };
  }

  /** The tasks of trees run without the token of their owner. */
  private void rememberOwner(Principal principal) {
    Caller caller = message.incoming().caller();
    if (caller.taskRun() == null && caller.verdict() instanceof TokenVerdict.Signed(var token)) {
      services
          .signedOnOwners()
          .remember(principal.name(), token, message.receivedAt(), message.rules().limits());
    }
  }

  private Intent intent(Principal principal, boolean named) {
    Intent wanted = message.handler().intent(message.call());
    message.want(wanted);
    Intent intent = intentCheck.intent(message.call(), wanted, principal, named);
    TaskRun taskRun = message.incoming().caller().taskRun();
    return intent instanceof Intent.Act act && taskRun != null && taskRun.flaw() != null
        ? act.withFlaw(taskRun.flaw())
        : intent;
  }

  private CompletableFuture<Intent> checked(Intent intent) {
    return intent instanceof Intent.Act act
        ? message.handler().checkedIntent(message.call(), act, message.principalName())
        : done(intent);
  }

  private Identity identity() {
    return CallerIdentities.of(message.incoming().caller(), message.rules());
  }

  private CompletableFuture<Reply> receive(Principal principal, Intent intent) {
    message.decideBy(intent);
    ReceiveCall call = receiveCommand(principal, intent);
    return services
        .commandSender()
        .send(
            ReceiveMessage.applies(call) ? new ReceiveMessage(call) : call,
            ReceiveOutcome.class,
            message.rules())
        .thenCompose(commandResult ->
            switch (commandResult) {
              case CommandResult.Refused<ReceiveOutcome>(var refusal) -> {
                if (call.deferral() != null) {
                  message.handler().observer().onTaskStored(TaskStep.CREATION, false);
                }
                yield done(replyBuilder.unrecorded(refusal));
              }
              case CommandResult.Stored<ReceiveOutcome>(var outcome) -> {
                message
                    .progress()
                    .receive(intent instanceof Intent.Act act ? act.targetSummary() : null);
                message.handler().observer().onReceived(message.call(), outcome, correlationId());
                yield proceed(outcome);
              }
            });
  }

  private ReceiveCall receiveCommand(Principal principal, Intent intent) {
    DialectHandler handler = message.handler();
    CallSubject subject = handler.subject(message.call());
    return new ReceiveCall(
        message.callId(),
        message.ids().correlationId(),
        message.ids().traceId(),
        message.dialectVersion(),
        message.incoming().transport(),
        message.receivedAt(),
        CredentialMask.maskAndCut(message.call().method()),
        storedId(message.rpcId()),
        principal,
        intent,
        message.call().params(),
        handler.arguments(message.call()).orElse(null),
        handler.deferral(message.call(), message.callId()).orElse(null),
        message.rules().hash(),
        treeTaskId(),
        subject.agent(),
        subject.ids());
  }

  private @Nullable String treeTaskId() {
    TaskRun taskRun = message.incoming().caller().taskRun();
    return taskRun == null ? null : taskRun.taskId();
  }

  private @Nullable String storedId(@Nullable String rpcId) {
    return rpcId == null
        ? null
        : CredentialMask.maskAndCutId(rpcId, services.faultTranslator().nameScrubber());
  }

  private CompletableFuture<Reply> proceed(ReceiveOutcome outcome) {
    return switch (outcome) {
      case ReceiveOutcome.Refused(var fault, var errorResponse, var denial) ->
          done(replyBuilder.error(fault, errorResponse, denial));
      case ReceiveOutcome.Admitted() -> admitted().answer();
      case ReceiveOutcome.Forwarded(var source) -> admitted().forward(source, message.snapshot());
      case ReceiveOutcome.Started(var call, var source, var task, _) ->
          admitted().start(call, source, task);
      case ReceiveOutcome.Duplicate(var task) -> admitted().answerDuplicate(task);
      case ReceiveOutcome.NoRoom() -> {
        message.incoming().channel().refuseLongWait();
        yield done(Reply.none(correlationId()));
      }
      case ReceiveOutcome.Held(var heldCall) -> admitted().hold(heldCall);
      case ReceiveOutcome.Deferred(var heldCall, var task, _) -> admitted().defer(heldCall, task);
    };
  }

  private AdmittedCall admitted() {
    return new AdmittedCall(services, backgroundCalls, message, replyBuilder);
  }

  private CompletableFuture<Reply> refuse(Fault fault, @Nullable String rpcId) {
    if (services
        .refusalThrottle()
        .throttle(
            message.handler().dialect(),
            message.incoming().transport(),
            fault,
            message.rules().limits())) {
      return done(replyBuilder.counted(fault));
    }
    return services
        .commandSender()
        .send(refuseCommand(fault, rpcId), ErrorResponse.class)
        .thenApply(commandResult ->
            switch (commandResult) {
              case CommandResult.Refused<ErrorResponse>(var refusal) ->
                  fault instanceof Malformed malformed
                      ? counted(malformed)
                      : replyBuilder.unrecorded(refusal);
              case CommandResult.Stored<ErrorResponse>(var errorResponse) ->
                  replyBuilder.error(fault, errorResponse, null);
            });
  }

  /** Answers an unreadable message even when the journal cannot record it now. */
  private Reply counted(Malformed fault) {
    services
        .refusalThrottle()
        .count(message.handler().dialect(), message.incoming().transport(), fault);
    return replyBuilder.counted(fault);
  }

  private RefuseMessage refuseCommand(Fault fault, @Nullable String rpcId) {
    return new RefuseMessage(
        message.callId(),
        message.ids().correlationId(),
        message.dialectVersion(),
        message.incoming().transport(),
        identity() instanceof Identity.Known(var principal, _) ? principal.name() : null,
        storedId(rpcId),
        message.incoming().sizeBytes(),
        fault);
  }

  /** Closes a call that was begun, so that the caller and the journal agree on how it ended. */
  private CompletableFuture<Reply> close(Fault fault) {
    return message.progress().point().received()
        ? new CallForwarder(services, message, replyBuilder).fail(fault)
        : refuse(fault, null); // the part that could not be recorded may have been the id
  }
}
