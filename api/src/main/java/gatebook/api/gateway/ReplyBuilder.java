package gatebook.api.gateway;

import gatebook.api.rpc.ResponseWriter;
import gatebook.api.rpc.RpcMessage;
import gatebook.command.call.CloseCall;
import gatebook.command.call.DialectVersion;
import gatebook.events.call.DenialReason;
import gatebook.events.call.ErrorResponse;
import gatebook.events.fault.Fault;
import java.time.Instant;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What goes back to the sender of one message; every error is counted and logged on its way. */
final class ReplyBuilder {

  private static final int ACCEPTED = 202;
  private static final int OK = 200;
  private static final int UNAVAILABLE = 503;

  private final Gateway.Tools tools;
  private final CallIds callIds;
  private final DialectVersion dialectVersion;
  private final RpcMessage rpcMessage;
  private final Supplier<CallContext> context;

  /** {@code context} is what is known of the call when an error of it is logged. */
  ReplyBuilder(
      Gateway.Tools tools,
      CallIds callIds,
      DialectVersion dialectVersion,
      RpcMessage rpcMessage,
      Supplier<CallContext> context) {
    this.tools = tools;
    this.callIds = callIds;
    this.dialectVersion = dialectVersion;
    this.rpcMessage = rpcMessage;
    this.context = context;
  }

  /** A recorded result. */
  Reply result(String json) {
    String id = id();
    return id == null
        ? accepted()
        : new Reply(callIds.correlationId(), OK, ResponseWriter.result(id, json));
  }

  /** A recorded error; {@code denial} is why a gate said no, absent when none did. */
  Reply error(Fault fault, ErrorResponse errorResponse, @Nullable DenialReason denial) {
    if (denial != null) {
      tools.errors().denied(fault, denial);
    }
    return given(fault, errorResponse, ACCEPTED);
  }

  /** An error that was recorded, counted and logged by whoever found it. */
  Reply recorded(ErrorResponse errorResponse) {
    return new Reply(callIds.correlationId(), status(errorResponse), error(errorResponse));
  }

  /** What needs no answer, or has nobody to read it. */
  Reply accepted() {
    return new Reply(callIds.correlationId(), ACCEPTED, null);
  }

  /** An error without a record of its own, because there cannot be one now. */
  Reply unrecorded(Fault fault, @Nullable String target, Instant receivedAt, boolean mayBeOpen) {
    ErrorResponse errorResponse = tell(fault);
    tools.outages().noted(fault);
    if (mayBeOpen) {
      tools
          .outages()
          .recordLater(
              new CloseCall(
                  callIds.callId(),
                  target == null ? null : tools.telling().names().scrub(target),
                  fault,
                  errorResponse,
                  receivedAt,
                  tools.clock().instant()));
    }
    return given(fault, errorResponse, UNAVAILABLE);
  }

  /** An error without a record of its own, because there are too many of its kind. */
  Reply counted(Fault fault) {
    return given(fault, tell(fault), ACCEPTED);
  }

  /** The error of another call, which was counted when that call ended. */
  Reply toldBefore(Fault fault, ErrorResponse errorResponse, UUID callId) {
    tools.errors().toldBefore(callIds, rpcMessage, context.get(), fault, errorResponse, callId);
    return given(errorResponse, ACCEPTED);
  }

  private ErrorResponse tell(Fault fault) {
    return tools.telling().tell(fault, dialectVersion, callIds.correlationId());
  }

  private Reply given(Fault fault, ErrorResponse errorResponse, int statusOfNotification) {
    tools.errors().told(callIds, rpcMessage, context.get(), fault, errorResponse);
    return given(errorResponse, statusOfNotification);
  }

  private Reply given(ErrorResponse errorResponse, int statusOfNotification) {
    return rpcMessage instanceof RpcMessage.Notification
        ? new Reply(callIds.correlationId(), statusOfNotification, null)
        : new Reply(callIds.correlationId(), status(errorResponse), error(errorResponse));
  }

  private byte[] error(ErrorResponse errorResponse) {
    return ResponseWriter.error(
        id(), errorResponse.code(), errorResponse.message(), errorResponse.data());
  }

  private static int status(ErrorResponse errorResponse) {
    return errorResponse.httpStatus() == null ? OK : errorResponse.httpStatus();
  }

  private @Nullable String id() {
    return switch (rpcMessage) {
      case RpcMessage.Request request -> request.id();
      case RpcMessage.Notification _ -> null;
      case RpcMessage.Unreadable unreadable -> unreadable.id();
    };
  }
}
