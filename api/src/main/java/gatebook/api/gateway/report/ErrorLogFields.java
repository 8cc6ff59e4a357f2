package gatebook.api.gateway.report;

import gatebook.api.gateway.message.CallIds;
import gatebook.api.gateway.message.CredentialMask;
import gatebook.api.rpc.RpcMessage;
import gatebook.command.call.TaskId;
import gatebook.events.call.ErrorResponse;
import gatebook.events.call.TextPrefix;
import gatebook.events.fault.Denied;
import gatebook.events.fault.Fault;
import gatebook.events.fault.FaultComponents;
import gatebook.events.fault.LogField;
import org.jspecify.annotations.Nullable;

/**
 * Fields of the log line about an error: the ids of its message, what the fault says, and the
 * context of the call. They may say what callers must not see; no field holds arguments.
 */
final class ErrorLogFields {

  private static final int TEXT_CHARS_MAX = CredentialMask.TEXT_CHARS_MAX;

  /** Digits, with a sign, that always fit. */
  private static final int LONG_CHARS_MAX = 18;

  private ErrorLogFields() {}

  static LogFields of(
      CallIds callIds,
      RpcMessage rpcMessage,
      CallLogContext context,
      Fault fault,
      ErrorResponse errorResponse) {
    LogFields fields = new LogFields();
    fields.put("correlation_id", callIds.correlationId());
    fields.put("call_id", callIds.callId());
    fields.put("dialect", errorResponse.dialect().word());
    fields.put("code", errorResponse.code());
    fields.put("fault", fault.kind());
    putMessage(fields, rpcMessage);
    fault.gate().ifPresent(gate -> fields.put("gate", gate.word()));
    putFault(fields, context, fault);
    putContext(fields, context);
    String operation = context.operation();
    if (operation != null) {
      fields.put("operation", CredentialMask.maskAndCut(operation));
      put(fields, "error", errorResponse.message());
    }
    return fields;
  }

  /** Fields of the line about a part that a merged result lacks. */
  static LogFields ofMissing(
      CallIds callIds, RpcMessage rpcMessage, CallLogContext context, String source, Fault fault) {
    LogFields fields = new LogFields();
    fields.put("correlation_id", callIds.correlationId());
    fields.put("call_id", callIds.callId());
    fields.put("fault", fault.kind());
    putMessage(fields, rpcMessage);
    putFault(fields, context, fault);
    fields.put("source", source);
    putContext(fields, context);
    return fields;
  }

  /** The method and the id of the message; an id of null is an id too. */
  private static void putMessage(LogFields fields, RpcMessage rpcMessage) {
    switch (rpcMessage) {
      case RpcMessage.Request(var id, var method, _, _) -> {
        fields.put("method", CredentialMask.maskAndCut(method));
        fields.put("id", id(id));
      }
      case RpcMessage.Notification(var method, _, _) ->
          fields.put("method", CredentialMask.maskAndCut(method));
      case RpcMessage.Unreadable(_, var id) -> {
        if (id != null) {
          fields.put("id", id(id));
        }
      }
    }
  }

  /** The id in its own type; a number that does not fit, or is a secret, is logged as text. */
  private static @Nullable Object id(String token) {
    if (token.equals("null")) {
      return null;
    }
    String id = CredentialMask.maskId(token);
    if (id.startsWith("\"")) {
      return TextPrefix.of(id.substring(1, id.length() - 1), CredentialMask.TEXT_CHARS_MAX);
    }
    return id.length() <= LONG_CHARS_MAX
        ? (Object) Long.valueOf(id)
        : TextPrefix.of(id, CredentialMask.TEXT_CHARS_MAX);
  }

  /** What the fault itself does not say. */
  private static void putContext(LogFields fields, CallLogContext context) {
    put(fields, "principal", context.principal());
    if (!fields.has("source")) {
      put(fields, "source", context.source());
    }
    if (!fields.has(context.targetField())) {
      put(fields, context.targetField(), context.target());
    }
    if (!fields.has("task_id")) {
      putTask(fields, context.taskId());
    }
  }

  /** A task of this gateway by the id of its call: part of the task's own id is a secret. */
  private static void putTask(LogFields fields, @Nullable String id) {
    put(
        fields,
        "task_id",
        id == null ? null : TaskId.parse(id).map(it -> it.callId().toString()).orElse(id));
  }

  /** What an operator needs at once; the journal has the whole fault. */
  private static void putFault(LogFields fields, CallLogContext context, Fault fault) {
    FaultComponents.forEachLogField(
        fault,
        (name, value) -> {
          switch (name) {
            case LogField.TASK_ID -> putTask(fields, (String) value);
            case LogField.TARGET -> put(fields, kindOfTarget(context, fault), (String) value);
            case String other when value instanceof String text -> put(fields, other, text);
            case String other -> fields.put(other, value);
          }
        });
  }

  /** Of other faults than denials, only that of a call of a tool can be without a target. */
  private static String kindOfTarget(CallLogContext context, Fault fault) {
    if (fault instanceof Denied denied) {
      return denied.kindOfTarget();
    }
    return context.target() == null ? "tool" : context.targetField();
  }

  private static void put(LogFields fields, String key, @Nullable String text) {
    if (text != null) {
      fields.put(key, TextPrefix.of(text, TEXT_CHARS_MAX)); // a line that is too long is lost
    }
  }
}
