package gatebook.api.gateway;

import static gatebook.api.gateway.CallForwarder.guarded;

import gatebook.api.gateway.message.CallIds;
import gatebook.api.gateway.message.DialectHandler.DialectCall;
import gatebook.api.gateway.message.Reply;
import gatebook.api.gateway.report.CallLogContext;
import gatebook.api.rpc.MessageWriter;
import gatebook.api.rpc.RpcMessage;
import gatebook.command.call.CallOutcome;
import gatebook.command.call.CloseUnrecordedCall;
import gatebook.command.call.Intent;
import gatebook.command.rules.Source;
import gatebook.events.call.DenialReason;
import gatebook.events.call.ErrorResponse;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Misdirected.RateLimited;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import gatebook.events.journal.Append;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Builds the reply to one message; counts and logs every error in it. */
final class ReplyBuilder {

  private static final Logger LOG = LoggerFactory.getLogger(ReplyBuilder.class);

  private static final int ACCEPTED = 202;
  private static final int OK = 200;
  private static final int UNAVAILABLE = 503;

  private final GatewayCore.Services services;
  private final ReceivedMessage message;
  private final CallIds callIds;
  private volatile boolean isTask;

  ReplyBuilder(GatewayCore.Services services, ReceivedMessage message) {
    this.services = services;
    this.message = message;
    this.callIds = message.ids();
  }

  /** The call became a task, whose outcome is the call's: no reply is. */
  void leaveOutcomeToTask() {
    isTask = true;
  }

  /** Tells the dialect the outcome of the call. */
  void tellOutcome(CallOutcome outcome) {
    switch (message.message()) {
      case RpcMessage.Request(_, var method, _, _) -> tellOutcome(method, outcome);
      case RpcMessage.Notification(var method, _, _) -> tellOutcome(method, outcome);
      case RpcMessage.Unreadable _ -> {
        // a message without a method is no call
      }
    }
  }

  private void tellOutcome(String method, CallOutcome outcome) {
    if (!isTask) {
      message.handler().observer().onOutcome(method, outcome);
    }
  }

  /** A recorded result. */
  Reply result(String json) {
    String id = message.rpcId();
    return id == null
        ? accepted()
        : new Reply(callIds.correlationId(), OK, MessageWriter.result(id, json));
  }

  /** A recorded error; {@code denial} is why a gate denied the call, absent when none did. */
  Reply error(Fault fault, ErrorResponse errorResponse, @Nullable DenialReason denial) {
    if (denial != null) {
      services.errorReporter().countDenial(fault, denial);
    }
    return reported(fault, errorResponse, ACCEPTED);
  }

  /** An error that is recorded, counted and logged already. */
  Reply recorded(ErrorResponse errorResponse) {
    return new Reply(callIds.correlationId(), status(errorResponse), error(errorResponse));
  }

  /** The reply to a message that needs no response, or whose caller is gone. */
  Reply accepted() {
    return new Reply(callIds.correlationId(), ACCEPTED, null);
  }

  /** The error for a command that the journal refused. */
  Reply unrecorded(Append.Refused refusal) {
    return unrecorded(
        unavailable(refusal),
        message.progress().point().received() || refusal instanceof Append.InDoubt);
  }

  /**
   * An error that cannot be recorded now.
   *
   * @param mayBeOpen whether the journal may hold the call's beginning, so that the call has to be
   *     closed later
   */
  Reply unrecorded(Fault fault, boolean mayBeOpen) {
    ErrorResponse errorResponse = errorResponse(fault);
    services.outageRecorder().count(fault);
    if (mayBeOpen) {
      services.outageRecorder().recordLater(closing(fault, errorResponse));
    }
    return reported(fault, errorResponse, UNAVAILABLE);
  }

  /** Closes the call with a fault. */
  CloseUnrecordedCall closing(Fault fault) {
    return closing(fault, errorResponse(fault));
  }

  private CloseUnrecordedCall closing(Fault fault, ErrorResponse errorResponse) {
    String target = message.progress().point().target();
    return new CloseUnrecordedCall(
        callIds.callId(),
        target == null ? null : services.faultTranslator().nameScrubber().scrub(target),
        fault,
        errorResponse,
        message.receivedAt(),
        services.clock().instant());
  }

  private Fault unavailable(Append.Refused refusal) {
    boolean forwarded = message.progress().point().attempts() > 0;
    return switch (refusal) {
      case Append.Refused _ when forwarded ->
          new ServiceUnavailable(Cause.OUTCOME_NOT_RECORDED, null);
      case Append.Overloaded(_, long millis) ->
          new ServiceUnavailable(Cause.QUEUE_FULL, Math.ceilDiv(millis, 1_000L));
      case Append.Closed _ -> new ServiceUnavailable(Cause.SHUTTING_DOWN, null);
      case Append.Unavailable _,
          Append.InDoubt _,
          Append.Distrusted _,
          Append.ReadOnly _,
          Append.Unstorable _ ->
          new ServiceUnavailable(Cause.JOURNAL, null);
    };
  }

  /** An error that is only counted, because there are too many of its kind. */
  Reply counted(Fault fault) {
    return reported(fault, errorResponse(fault), ACCEPTED);
  }

  /** The error of another call, which was counted when that call ended. */
  Reply earlierError(Fault fault, ErrorResponse errorResponse, UUID callId) {
    services
        .errorReporter()
        .reportEarlier(callIds, message.message(), logContext(), fault, errorResponse, callId);
    return unlessNotification(fault, errorResponse, ACCEPTED);
  }

  /** A source could not be asked for its part of the result. */
  void reportMissing(Source source, Fault fault) {
    services
        .errorReporter()
        .reportMissing(callIds, message.message(), logContext(), source.id(), fault);
  }

  private ErrorResponse errorResponse(Fault fault) {
    return services
        .faultTranslator()
        .translate(fault, message.dialectVersion(), callIds.correlationId());
  }

  private Reply reported(Fault fault, ErrorResponse errorResponse, int statusOfNotification) {
    services.errorReporter().report(callIds, message.message(), logContext(), fault, errorResponse);
    tellOutcome(new CallOutcome.Failed(fault, errorResponse));
    return unlessNotification(fault, errorResponse, statusOfNotification);
  }

  private Reply unlessNotification(
      Fault fault, ErrorResponse errorResponse, int statusOfNotification) {
    Long retryAfterSeconds = retryAfterSeconds(fault);
    return message.message() instanceof RpcMessage.Notification
        ? new Reply(callIds.correlationId(), statusOfNotification, null, retryAfterSeconds)
        : new Reply(
            callIds.correlationId(),
            status(errorResponse),
            error(errorResponse),
            retryAfterSeconds);
  }

  private static @Nullable Long retryAfterSeconds(Fault fault) {
    return switch (fault) {
      case RateLimited(_, var seconds) -> seconds;
      case ServiceUnavailable(_, var seconds) -> seconds;
      default -> null;
    };
  }

  private byte[] error(ErrorResponse errorResponse) {
    return MessageWriter.error(message.rpcId(), errorResponse);
  }

  private static int status(ErrorResponse errorResponse) {
    return errorResponse.httpStatus() == null ? OK : errorResponse.httpStatus();
  }

  /**
   * The same reply; where it failed, the one to the fault of this gateway.
   *
   * @param close records the fault as the end of the call
   */
  CompletableFuture<Reply> neverFailing(
      CompletableFuture<Reply> reply, Function<Fault, CompletableFuture<Reply>> close) {
    return reply.exceptionallyCompose(failure ->
        guarded(() -> close.apply(internalError(failure)))
            .exceptionally(again -> unrecorded(internalError(again), true)));
  }

  private Fault internalError(Throwable failure) {
    LOG.atError()
        .addKeyValue("correlation_id", callIds.correlationId())
        .addKeyValue("call_id", callIds.callId())
        .setCause(failure)
        .log("unforeseen failure while serving a message");
    return ServerFaults.of("serving a message", failure);
  }

  /** What a log line about an error of this call says of it. */
  private CallLogContext logContext() {
    String principalName = message.principalName();
    Intent intent = message.intent();
    if (intent == null) {
      return new CallLogContext(principalName.isEmpty() ? null : principalName, null);
    }
    DialectCall call = message.call();
    String taskId = message.handler().subject(call).taskId();
    Intent.Act act = intent instanceof Intent.AnswerHere ? null : message.wantedAct();
    CallLogContext context =
        act == null
            ? new CallLogContext(principalName, taskId)
            : CallLogContext.of(
                principalName,
                call.method(),
                act,
                message.rules(),
                services.faultTranslator().nameScrubber()::scrub,
                taskId);
    return context.withOperation(message.handler().operation(call.method()));
  }
}
