package gatebook.api.border;

import gatebook.api.rpc.Answer;
import gatebook.api.rpc.Message;
import gatebook.command.Tongue;
import gatebook.command.abandon.CloseCall;
import gatebook.events.call.DenialReason;
import gatebook.events.call.Told;
import gatebook.events.fault.Fault;
import java.time.Instant;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What goes back to the sender of one message; every error is counted and logged on its way. */
final class Replies {

  private static final int ACCEPTED = 202;
  private static final int OK = 200;
  private static final int UNAVAILABLE = 503;

  private final Border.Tools tools;
  private final Names names;
  private final Tongue tongue;
  private final Message message;
  private final Supplier<CallContext> context;

  /** {@code context} is what is known of the call when an error of it is logged. */
  Replies(
      Border.Tools tools,
      Names names,
      Tongue tongue,
      Message message,
      Supplier<CallContext> context) {
    this.tools = tools;
    this.names = names;
    this.tongue = tongue;
    this.message = message;
    this.context = context;
  }

  /** A recorded result. */
  Reply result(String json) {
    String id = id();
    return id == null ? accepted() : new Reply(names.correlationId(), OK, Answer.result(id, json));
  }

  /** A recorded error; {@code denial} is why a gate said no, absent when none did. */
  Reply error(Fault fault, Told told, @Nullable DenialReason denial) {
    if (denial != null) {
      tools.errors().denied(fault, denial);
    }
    return given(fault, told, ACCEPTED);
  }

  /** An error that was recorded, counted and logged by whoever found it. */
  Reply recorded(Told told) {
    return new Reply(names.correlationId(), status(told), error(told));
  }

  /** What needs no answer, or has nobody to read it. */
  Reply accepted() {
    return new Reply(names.correlationId(), ACCEPTED, null);
  }

  /** An error without a record of its own, because there cannot be one now. */
  Reply unrecorded(Fault fault, @Nullable String target, Instant receivedAt, boolean mayBeOpen) {
    Told told = tell(fault);
    tools.outages().noted(fault);
    if (mayBeOpen) {
      tools
          .outages()
          .recordLater(
              new CloseCall(
                  names.callId(),
                  target == null ? null : tools.telling().names().scrub(target),
                  fault,
                  told,
                  receivedAt,
                  tools.clock().instant()));
    }
    return given(fault, told, UNAVAILABLE);
  }

  /** An error without a record of its own, because there are too many of its kind. */
  Reply counted(Fault fault) {
    return given(fault, tell(fault), ACCEPTED);
  }

  /** The error of another call, which was counted when that call ended. */
  Reply toldBefore(Fault fault, Told told, UUID callId) {
    tools.errors().toldBefore(names, message, context.get(), fault, told, callId);
    return given(told, ACCEPTED);
  }

  private Told tell(Fault fault) {
    return tools.telling().tell(fault, tongue, names.correlationId());
  }

  private Reply given(Fault fault, Told told, int statusOfNotification) {
    tools.errors().told(names, message, context.get(), fault, told);
    return given(told, statusOfNotification);
  }

  private Reply given(Told told, int statusOfNotification) {
    return message instanceof Message.Notification
        ? new Reply(names.correlationId(), statusOfNotification, null)
        : new Reply(names.correlationId(), status(told), error(told));
  }

  private byte[] error(Told told) {
    return Answer.error(id(), told.code(), told.message(), told.data());
  }

  private static int status(Told told) {
    return told.httpStatus() == null ? OK : told.httpStatus();
  }

  private @Nullable String id() {
    return switch (message) {
      case Message.Request request -> request.id();
      case Message.Notification _ -> null;
      case Message.Unreadable unreadable -> unreadable.id();
    };
  }
}
