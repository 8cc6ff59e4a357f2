package gatebook.api.gateway.report;

import gatebook.api.gateway.message.CallIds;
import gatebook.api.gateway.message.CredentialMask;
import gatebook.api.rpc.RpcMessage;
import gatebook.command.call.TaskId;
import gatebook.events.call.ErrorResponse;
import gatebook.events.call.TextPrefix;
import gatebook.events.fault.Denied;
import gatebook.events.fault.Denied.Content;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Malformed;
import gatebook.events.fault.Misdirected;
import gatebook.events.fault.Problem;
import gatebook.events.fault.ServerFault;
import gatebook.events.fault.TaskFault;
import gatebook.events.fault.Unsupported;
import gatebook.events.fault.UpstreamFault;
import gatebook.events.fault.Withheld;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

  static Map<String, @Nullable Object> of(
      CallIds callIds,
      RpcMessage rpcMessage,
      CallLogContext context,
      Fault fault,
      ErrorResponse errorResponse) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
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
  static Map<String, @Nullable Object> ofMissing(
      CallIds callIds, RpcMessage rpcMessage, CallLogContext context, String source, Fault fault) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
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
  private static void putMessage(Map<String, @Nullable Object> fields, RpcMessage rpcMessage) {
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
  private static void putContext(Map<String, @Nullable Object> fields, CallLogContext context) {
    put(fields, "principal", context.principal());
    if (!fields.containsKey("source")) {
      put(fields, "source", context.source());
    }
    if (!fields.containsKey(context.targetField())) {
      put(fields, context.targetField(), context.target());
    }
    if (!fields.containsKey("task_id")) {
      putTask(fields, context.taskId());
    }
  }

  /** A task of this gateway by the id of its call: part of the task's own id is a secret. */
  private static void putTask(Map<String, @Nullable Object> fields, @Nullable String id) {
    put(
        fields,
        "task_id",
        id == null ? null : TaskId.parse(id).map(it -> it.callId().toString()).orElse(id));
  }

  /** What an operator needs at once; the journal has the whole fault. */
  private static void putFault(
      Map<String, @Nullable Object> fields, CallLogContext context, Fault fault) {
    switch (fault) {
      case Denied denied -> putFault(fields, denied);
      case Withheld withheld -> putFault(fields, context, withheld);
      case UpstreamFault upstream -> putFault(fields, upstream);
      case ServerFault server -> putFault(fields, server);
      case Misdirected misdirected -> putFault(fields, misdirected);
      case Malformed malformed -> putFault(fields, malformed);
      case TaskFault task -> putFault(fields, task);
      case Unsupported _ -> {}
    }
  }

  private static void putFault(Map<String, @Nullable Object> fields, Denied denied) {
    switch (denied) {
      case Denied.ToolNotExposed(var name, var source, var content) -> {
        put(fields, content, name);
        put(fields, "source", source);
      }
      case Denied.GovernanceRuleDenied(var name, var rule, _, var content) -> {
        put(fields, content, name);
        put(fields, "rule", rule);
      }
      case Denied.PolicyDenied(var name, var policyId, var reason, var content) -> {
        put(fields, content, name);
        put(fields, "policy_id", policyId);
        put(fields, "reason", reason);
      }
      case Denied.ApprovalRejected(
              var name,
              var rejectedBy,
              var reason,
              var workflow,
              var content) -> {
        put(fields, content, name);
        put(fields, "rejected_by", rejectedBy);
        put(fields, "reason", reason);
        put(fields, "workflow", workflow);
      }
      case Denied.ApprovalTimeout(var name, long timeoutSeconds, var workflow, var content) -> {
        put(fields, content, name);
        fields.put("timeout_secs", timeoutSeconds);
        put(fields, "workflow", workflow);
      }
      case Denied.WorkflowNotFound(var workflow) -> put(fields, "workflow", workflow);
    }
  }

  private static void putFault(
      Map<String, @Nullable Object> fields, CallLogContext context, Withheld withheld) {
    switch (withheld) {
      case Withheld.InspectionFailed(var inspector, var reason) -> {
        put(fields, "inspector", inspector);
        put(fields, "reason", reason);
      }
      case Withheld.PolicyDrift(var name, var task, var changedAt, var then, var now) -> {
        put(fields, kindOfTarget(context), name);
        putTask(fields, task);
        put(fields, "changed_at", changedAt.word());
        put(fields, "rules_then", then);
        put(fields, "rules_now", now);
      }
      case Withheld.TransformDrift(var name, var task) -> {
        put(fields, kindOfTarget(context), name);
        putTask(fields, task);
      }
    }
  }

  /** The fault does not say what it names; only a call of a tool can be without a target. */
  private static String kindOfTarget(CallLogContext context) {
    return context.target() == null ? "tool" : context.targetField();
  }

  private static void putFault(Map<String, @Nullable Object> fields, UpstreamFault upstream) {
    switch (upstream) {
      case UpstreamFault.UpstreamConnectionFailed(var source, var url, var why, int attempts) -> {
        put(fields, "source", source);
        put(fields, "url", url);
        put(fields, "reason", why);
        fields.put("attempts", attempts);
      }
      case UpstreamFault.UpstreamTimeout(var source, var url, long timeoutMillis) -> {
        put(fields, "source", source);
        put(fields, "url", url);
        fields.put("timeout_millis", timeoutMillis);
      }
      case UpstreamFault.UpstreamError(var source, var code, var message, _, var status, _) -> {
        put(fields, "source", source);
        put(fields, "reason", message);
        put(fields, "upstream_code", code);
        put(fields, "upstream_status", status);
      }
      case UpstreamFault.InvalidAgentResponse(var source, var reason) -> {
        put(fields, "source", source);
        put(fields, "reason", reason);
      }
      case UpstreamFault.ExecutorFailed(var task, var executor, var error) -> {
        putTask(fields, task);
        put(fields, "executor", executor);
        put(fields, "reason", error);
      }
      case UpstreamFault.CoordinatorError(var reason) -> put(fields, "reason", reason);
    }
  }

  private static void putFault(Map<String, @Nullable Object> fields, TaskFault fault) {
    switch (fault) {
      case TaskFault.TaskNotFound(var task) -> putTask(fields, task);
      case TaskFault.TaskExpired(var task, var ttlSeconds) -> {
        putTask(fields, task);
        put(fields, "ttl_secs", ttlSeconds);
      }
      case TaskFault.TaskCancelled(var task) -> putTask(fields, task);
      case TaskFault.TaskNotCancelable(var task, var current) -> {
        putTask(fields, task);
        put(fields, "state", current);
      }
      case TaskFault.InvalidStateTransition(var task, var current, var target, var reason) -> {
        putTask(fields, task);
        put(fields, "state", current);
        put(fields, "wanted_state", target);
        put(fields, "reason", reason);
      }
      case TaskFault.TaskAlreadyExecuting(var task) -> putTask(fields, task);
      case TaskFault.InvalidTaskSchema(var task, var problems) -> {
        putTask(fields, task);
        put(fields, problems);
      }
      case TaskFault.CircularDependency(var cycle) -> put(fields, "cycle", String.join(" ", cycle));
      case TaskFault.DependencyNotSatisfied(var task, var waitsFor) -> {
        putTask(fields, task);
        put(fields, "waits_for", String.join(" ", waitsFor));
      }
      case TaskFault.InvalidDependencyReference(var task, var dependency) -> {
        putTask(fields, task);
        put(fields, "dependency", dependency);
      }
      case TaskFault.InvalidParentReference(var task, var parent, var reason) -> {
        putTask(fields, task);
        put(fields, "parent", parent);
        put(fields, "reason", reason);
      }
      case TaskFault.TaskTreeInvalid(var defect, var task) -> {
        putTask(fields, task);
        put(fields, "reason", defect.word());
      }
      case TaskFault.CannotDeleteTask(var task, var obstacle) -> {
        putTask(fields, task);
        put(fields, "reason", obstacle.word());
      }
      case TaskFault.ExecutorNotFound(var executor, var candidates) -> {
        put(fields, "executor", executor);
        put(fields, "candidates", candidates == null ? null : String.join(" ", candidates));
      }
      case TaskFault.UnknownSkill(var skill) -> put(fields, "skill", skill);
      case TaskFault.SeveralTaskFaults several -> putFault(fields, several.first());
    }
  }

  /** The first problem only. */
  private static void put(Map<String, @Nullable Object> fields, List<Problem> problems) {
    if (!problems.isEmpty()) {
      put(fields, "param", problems.getFirst().param());
      put(fields, "expected", problems.getFirst().expected());
    }
  }

  private static void putFault(Map<String, @Nullable Object> fields, ServerFault server) {
    switch (server) {
      case ServerFault.ServiceUnavailable(var cause, _) -> put(fields, "reason", cause.word());
      case ServerFault.ConfigurationError(var detail) -> put(fields, "reason", detail);
      case ServerFault.InternalError(var doing, var error) -> {
        put(fields, "doing", doing);
        put(fields, "reason", error);
      }
      case ServerFault.SerializationError(var what) -> put(fields, "reason", what);
      case ServerFault.IoError(var what) -> put(fields, "reason", what);
    }
  }

  private static void putFault(Map<String, @Nullable Object> fields, Misdirected misdirected) {
    switch (misdirected) {
      case Misdirected.MethodNotFound _ -> {} // every line has the method
      case Misdirected.UnknownAgent(var agent) -> put(fields, "agent", agent);
      case Misdirected.InvalidParams(var problems) -> put(fields, problems);
      case Misdirected.Unauthorized(var refusal) -> put(fields, "reason", refusal.word());
      case Misdirected.RateLimited(var limit, _) -> put(fields, "reason", limit.word());
      case Misdirected.HeaderMismatch(var header) -> put(fields, "header", header);
    }
  }

  private static void putFault(Map<String, @Nullable Object> fields, Malformed malformed) {
    switch (malformed) {
      case Malformed.ParseError(var defect, var offset) -> {
        put(fields, "reason", defect.word());
        put(fields, "offset", offset);
      }
      case Malformed.InvalidRequest(var defect, _) -> put(fields, "reason", defect.word());
      case Malformed.InvalidIdType(var received) -> put(fields, "received", received);
      case Malformed.UnsupportedContentEncoding(var encoding) ->
          put(fields, "content_encoding", encoding);
      case Malformed.LengthMismatch(long declared, long received) -> {
        fields.put("declared_bytes", declared);
        fields.put("received_bytes", received);
      }
      case Malformed.LengthMissing _ -> put(fields, "reason", "length-missing");
      case Malformed.HeaderMalformed(int line) -> fields.put("header_line", line);
      case Malformed.HeaderTooLarge(long limit) -> fields.put("limit_bytes", limit);
      case Malformed.ReadTimeout(long timeoutMillis, long received) -> {
        fields.put("timeout_millis", timeoutMillis);
        fields.put("received_bytes", received);
      }
      case Malformed.Oversize oversize -> {
        fields.put("limit_bytes", oversize.limitBytes());
        put(fields, "declared_bytes", oversize.declaredBytes());
      }
      case Malformed.UnsupportedContentType(var type) -> put(fields, "content_type", type);
      case Malformed.BadCharset(var charset) -> put(fields, "charset", charset);
      case Malformed.BatchNotSupported _ -> put(fields, "reason", "batch-not-supported");
      case Malformed.UnknownSession _ -> put(fields, "reason", "unknown-session");
      case Malformed.DuplicateKey(var offset) -> {
        put(fields, "reason", "duplicate-key");
        put(fields, "offset", offset);
      }
      case Malformed.TooDeep(int depthMax) -> fields.put("depth_max", depthMax);
    }
  }

  /** A name in the field of its kind. */
  private static void put(
      Map<String, @Nullable Object> fields, @Nullable Content content, String name) {
    put(fields, content == null ? "tool" : content.word(), name);
  }

  private static void put(
      Map<String, @Nullable Object> fields, String key, @Nullable Number number) {
    if (number != null) {
      fields.put(key, number);
    }
  }

  private static void put(Map<String, @Nullable Object> fields, String key, @Nullable String text) {
    if (text != null) {
      fields.put(key, TextPrefix.of(text, TEXT_CHARS_MAX)); // a line that is too long is lost
    }
  }
}
