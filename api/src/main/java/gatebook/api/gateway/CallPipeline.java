package gatebook.api.gateway;

import static gatebook.api.gateway.CallForwarder.done;
import static gatebook.api.gateway.CallForwarder.guarded;

import gatebook.api.gateway.AdmittedCall.Request;
import gatebook.api.gateway.CallerIdentities.Identity;
import gatebook.api.gateway.message.CallIds;
import gatebook.api.gateway.message.CommandResult;
import gatebook.api.gateway.message.CredentialMask;
import gatebook.api.gateway.message.DialectHandler;
import gatebook.api.gateway.message.DialectHandler.DialectCall;
import gatebook.api.gateway.message.DialectHandler.TaskStep;
import gatebook.api.gateway.message.IncomingMessage;
import gatebook.api.gateway.message.Reply;
import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.api.gateway.message.TaskRun;
import gatebook.api.gateway.report.CallLogContext;
import gatebook.api.memory.MemoryReservation;
import gatebook.api.rpc.ObjectMembers;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pipeline of one message: identifies its caller, checks what it wants, has the call decided and
 * recorded, and then either refuses it or passes it to an {@link AdmittedCall}. Each step begins
 * when the one before is durable, and no thread waits in between.
 */
final class CallPipeline {

  private static final Logger LOG = LoggerFactory.getLogger(CallPipeline.class);

  private final Gateway.Services services;
  private final BackgroundCalls backgroundCalls;
  private final ReceivedMessage message;
  private final IntentCheck intentCheck;
  private final CallProgress progress = new CallProgress();
  private final ReplyBuilder replyBuilder;
  private final CallForwarder forwarder;

  /** The caller's name, empty until it is identified. */
  private volatile String principalName = "";

  /** The call as its dialect sees it, absent for a message that is no call. */
  private volatile @Nullable DialectCall served;

  /** What the call wants, absent until that is known. */
  private volatile @Nullable Want want;

  private record Want(DialectCall asking, Intent intent) {}

  CallPipeline(
      Gateway.Services services,
      BackgroundCalls backgroundCalls,
      DialectHandler dialectHandler,
      IncomingMessage incomingMessage,
      ObjectMembers objectMembers,
      CallIds callIds) {
    this.services = services;
    this.backgroundCalls = backgroundCalls;
    RoutingSnapshot snapshot = services.routingSnapshots().get();
    this.message =
        new ReceivedMessage(
            incomingMessage,
            objectMembers,
            callIds,
            dialectHandler,
            snapshot,
            services.clock().instant());
    this.intentCheck = new IntentCheck(services.rateLimiter(), dialectHandler, snapshot);
    this.replyBuilder = new ReplyBuilder(services, message, progress, this::logContext);
    this.forwarder =
        new CallForwarder(
            services,
            callIds,
            message.dialectVersion(),
            snapshot.rules(),
            message.receivedAt(),
            progress,
            replyBuilder,
            incomingMessage.memory());
  }

  String correlationId() {
    return message.ids().correlationId();
  }

  UUID callId() {
    return message.callId();
  }

  CompletableFuture<Reply> reply() {
    MemoryReservation _ = message.incoming().memory().hold();
    return neverFailing(guarded(this::serve)).whenComplete((_, _) -> onReply());
  }

  private void onReply() {
    DialectCall call = served;
    if (call != null) {
      message.handler().onReply(call);
    }
    message.incoming().memory().release();
  }

  /** The reply to a message that could not be read because of a failure. */
  CompletableFuture<Reply> failed(Throwable failure) {
    return neverFailing(CompletableFuture.failedFuture(failure));
  }

  /** The reply to a message with a fault that was found elsewhere. */
  CompletableFuture<Reply> refused(Fault fault) {
    return neverFailing(guarded(() -> refuse(fault, rpcId())));
  }

  private @Nullable String rpcId() {
    return switch (message.message()) {
      case RpcMessage.Request request -> request.id();
      case RpcMessage.Unreadable unreadable -> unreadable.id();
      case RpcMessage.Notification _ -> null;
    };
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
    return reply
        .exceptionallyCompose(this::closeAfter)
        .exceptionally(failure -> replyBuilder.unrecorded(internalError(failure), true));
  }

  private CompletableFuture<Reply> serve() {
    if (message.snapshot().obstacle() instanceof ServiceUnavailable notYet) {
      return done(replyBuilder.unrecorded(notYet, false));
    }
    return switch (message.message()) {
      case RpcMessage.Request(var id, var method, var params, _) ->
          identify(new Request(id, message.asking(method, params)));
      case RpcMessage.Notification(var method, var params, _) ->
          identify(new Request(null, message.asking(method, params)));
      case RpcMessage.Unreadable(var fault, var id) -> refuse(fault, id);
    };
  }

  private CompletableFuture<Reply> identify(Request request) {
    served = request.asking();
    return switch (identity()) {
      case Identity.Unknown(var fault) ->
          refuse(intentCheck.refusal(request.asking(), fault), request.id());
      case Identity.Known(var principal, boolean named) -> {
        principalName = principal.name();
        yield checked(request, intent(request, principal, named))
            .thenCompose(intent -> receive(request, principal, intent));
      }
    };
  }

  private Intent intent(Request request, Principal principal, boolean named) {
    Intent intent = intentCheck.intent(request.asking(), principal, named);
    TaskRun taskRun = message.incoming().caller().taskRun();
    return intent instanceof Intent.Act act && taskRun != null && taskRun.flaw() != null
        ? act.withFlaw(taskRun.flaw())
        : intent;
  }

  /** The intent, unless the dialect has a reason to refuse it or answers it here. */
  private CompletableFuture<Intent> checked(Request request, Intent intent) {
    return intent instanceof Intent.Act act
        ? message
            .handler()
            .refusal(request.asking(), principalName)
            .thenCompose(fault ->
                fault.isPresent()
                    ? done(new Intent.Unservable(fault.get()))
                    : message.handler().journalledIntent(request.asking(), act, principalName))
        : done(intent);
  }

  private Identity identity() {
    return CallerIdentities.of(message.incoming().caller(), message.rules());
  }

  private CompletableFuture<Reply> receive(Request request, Principal principal, Intent intent) {
    want = new Want(request.asking(), intent);
    ReceiveCall call = receiveCommand(request, principal, intent);
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
                  message.handler().onTaskStored(TaskStep.CREATION, false);
                }
                yield done(replyBuilder.unrecorded(refusal));
              }
              case CommandResult.Stored<ReceiveOutcome>(var outcome) -> {
                progress.receive(intent instanceof Intent.Act act ? act.targetSummary() : null);
                message.handler().onReceived(request.asking(), outcome, correlationId());
                yield proceed(request, principal, outcome);
              }
            });
  }

  private ReceiveCall receiveCommand(Request request, Principal principal, Intent intent) {
    DialectHandler handler = message.handler();
    return new ReceiveCall(
        message.callId(),
        message.ids().correlationId(),
        message.ids().traceId(),
        message.dialectVersion(),
        message.incoming().transport(),
        message.receivedAt(),
        CredentialMask.maskAndCut(request.asking().method()),
        storedId(request.id()),
        principal,
        intent,
        request.asking().params(),
        handler.arguments(request.asking()).orElse(null),
        handler.deferral(request.asking(), message.callId()).orElse(null),
        message.rules().hash(),
        treeTaskId(),
        handler.agent(request.asking()),
        handler.aboutIds(request.asking()));
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

  private CompletableFuture<Reply> proceed(
      Request request, Principal principal, ReceiveOutcome outcome) {
    return switch (outcome) {
      case ReceiveOutcome.Refused(var fault, var errorResponse, var denial) ->
          done(replyBuilder.error(fault, errorResponse, denial));
      case ReceiveOutcome.Admitted() -> admitted(request, principal).answer();
      case ReceiveOutcome.Forwarded(var source) ->
          admitted(request, principal).forward(source, message.snapshot());
      case ReceiveOutcome.Started(var call, var source, var task, _) ->
          admitted(request, principal).start(call, source, task);
      case ReceiveOutcome.Duplicate(var task) -> admitted(request, principal).answerDuplicate(task);
      case ReceiveOutcome.NoRoom() -> {
        message.incoming().channel().refuseLongWait();
        yield done(Reply.none(correlationId()));
      }
      case ReceiveOutcome.Held(var heldCall) -> admitted(request, principal).hold(heldCall);
      case ReceiveOutcome.Deferred(var heldCall, var task, _) ->
          admitted(request, principal).defer(heldCall, task);
    };
  }

  private AdmittedCall admitted(Request request, Principal principal) {
    return new AdmittedCall(
        services,
        backgroundCalls,
        message,
        request,
        principal.name(),
        progress,
        replyBuilder,
        forwarder,
        this::neverFailing);
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
  private CompletableFuture<Reply> closeAfter(Throwable failure) {
    Fault fault = internalError(failure);
    return progress.point().received()
        ? forwarder.fail(fault)
        : refuse(fault, null); // the part that could not be recorded may have been the id
  }

  private Fault internalError(Throwable failure) {
    LOG.atError()
        .addKeyValue("correlation_id", message.ids().correlationId())
        .addKeyValue("call_id", message.callId())
        .setCause(failure)
        .log("unforeseen failure while serving a message");
    return ServerFaults.of("serving a message", failure);
  }

  /** What a log line about an error of this call says of it. */
  private CallLogContext logContext() {
    return switch (want) {
      case null -> new CallLogContext(principalName.isEmpty() ? null : principalName, null);
      case Want(var asking, var intent) ->
          logContext(asking, intent).withOperation(message.handler().operation(asking.method()));
    };
  }

  private CallLogContext logContext(DialectCall asking, Intent intent) {
    return switch (intent) {
      case Intent.Act act -> logContext(asking, act);
      // the call is refused before a gate decides, but the line says what it was about
      case Intent.Unservable _ when message.handler().intent(asking) instanceof Intent.Act act ->
          logContext(asking, act);
      case Intent.Unservable _, Intent.AnswerHere _ ->
          new CallLogContext(principalName, message.handler().taskId(asking).orElse(null));
    };
  }

  private CallLogContext logContext(DialectCall asking, Intent.Act act) {
    return CallLogContext.of(
        principalName,
        asking.method(),
        act,
        message.rules(),
        services.faultTranslator().nameScrubber()::scrub,
        message.handler().taskId(asking).orElse(null));
  }
}
