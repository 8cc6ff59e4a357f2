package gatebook.api.gateway;

import gatebook.api.rpc.RpcMessage;
import gatebook.command.call.TaskId;
import gatebook.events.call.DenialReason;
import gatebook.events.call.Dialect;
import gatebook.events.call.ErrorResponse;
import gatebook.events.call.Gate;
import gatebook.events.call.TextPrefix;
import gatebook.events.fault.Category;
import gatebook.events.fault.DefinedErrors;
import gatebook.events.fault.DefinedErrors.DefinedError;
import gatebook.events.fault.Denied;
import gatebook.events.fault.Denied.Content;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Malformed;
import gatebook.events.fault.Misdirected;
import gatebook.events.fault.Problem;
import gatebook.events.fault.ServerFault;
import gatebook.events.fault.Severity;
import gatebook.events.fault.TaskFault;
import gatebook.events.fault.Unsupported;
import gatebook.events.fault.UpstreamFault;
import gatebook.events.fault.Withheld;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Counts and logs every error a caller is told. Lines say what callers may not see; neither lines
 * nor labels hold arguments.
 */
public final class ErrorReporter {

  private static final Logger LOG = LoggerFactory.getLogger(ErrorReporter.class);
  private static final int TEXT_CHARS_MAX = 1_024;

  /** Stands for all codes that only sources send; no vocabulary has it. */
  private static final int FOREIGN = 0;

  /** Digits, with a sign, that always fit. */
  private static final int LONG_CHARS_MAX = 18;

  /** The kinds in words; taking one apart costs more than writing its line. */
  private static final ConcurrentMap<String, String> SENTENCES = new ConcurrentHashMap<>();

  private final MeterRegistry meters;

  /** Looking a meter up by its tags costs more than counting; there are few. */
  private final ConcurrentMap<Kind, List<Counter>> errors = new ConcurrentHashMap<>();

  private final ConcurrentMap<Denial, Counter> denials = new ConcurrentHashMap<>();

  private record Kind(Dialect dialect, int code, String gate, Category category) {}

  private record Denial(String gate, DenialReason reason) {}

  /** All are shown from zero on, so that who watches a counter rise sees the first one too. */
  public ErrorReporter(MeterRegistry meters) {
    this.meters = meters;
    for (DefinedError error : DefinedErrors.all()) {
      var _ = countersOf(new Kind(error.dialect(), error.code(), error.gate(), error.category()));
    }
    for (Dialect dialect : List.of(Dialect.MCP, Dialect.DAEMON)) {
      var _ = countersOf(new Kind(dialect, FOREIGN, "", Category.UPSTREAM));
    }
    for (DenialReason reason : DenialReason.values()) {
      Denial denial = new Denial(gate(reason).word(), reason);
      denials.put(denial, counter(denial));
    }
  }

  void denied(Fault fault, DenialReason reason) {
    denials.computeIfAbsent(new Denial(gate(fault), reason), this::counter).increment();
  }

  void told(
      CallIds callIds,
      RpcMessage rpcMessage,
      CallContext context,
      Fault fault,
      ErrorResponse errorResponse) {
    int code =
        DefinedErrors.hasCode(errorResponse.dialect(), errorResponse.code())
            ? errorResponse.code()
            : FOREIGN;
    countersOf(new Kind(errorResponse.dialect(), code, gate(fault), fault.category()))
        .forEach(Counter::increment);
    log(level(fault.severity()), fields(callIds, rpcMessage, context, fault, errorResponse), fault);
  }

  /** Not counted once more: it was when the call ended that is asked about. */
  void toldBefore(
      CallIds callIds,
      RpcMessage rpcMessage,
      CallContext context,
      Fault fault,
      ErrorResponse errorResponse,
      UUID callId) {
    Map<String, @Nullable Object> fields =
        fields(callIds, rpcMessage, context, fault, errorResponse);
    fields.put("first_told_to", callId);
    log(Level.INFO, fields, fault);
  }

  private List<Counter> countersOf(Kind kind) {
    return errors.computeIfAbsent(kind, this::counters);
  }

  private Counter counter(Denial denial) {
    return Counter.builder("thoughtgate.gate.denials")
        .description("calls that a gate denied")
        .tags("gate", denial.gate, "reason", denial.reason.word())
        .register(meters);
  }

  private List<Counter> counters(Kind kind) {
    Tags tags =
        Tags.of(
            "code",
            kind.code == FOREIGN ? "other" : Integer.toString(kind.code),
            "gate",
            kind.gate,
            "category",
            kind.category.word());
    Counter all =
        counter("gatebook.errors", "errors told", tags.and("dialect", kind.dialect.word()));
    return switch (kind.dialect) {
      case MCP, DAEMON ->
          List.of(
              all, counter("thoughtgate.errors", "errors told in the codes that MCP shares", tags));
      case FLOW, A2A -> List.of(all);
    };
  }

  private Counter counter(String name, String what, Tags tags) {
    return Counter.builder(name).description(what).tags(tags).register(meters);
  }

  private static void log(Level level, Map<String, @Nullable Object> fields, Fault fault) {
    LoggingEventBuilder line = LOG.atLevel(level);
    for (Map.Entry<String, @Nullable Object> field : fields.entrySet()) {
      line = line.addKeyValue(field.getKey(), field.getValue());
    }
    line.log(sentence(fault));
  }

  private static Map<String, @Nullable Object> fields(
      CallIds callIds,
      RpcMessage rpcMessage,
      CallContext context,
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
    putContext(fields, fault);
    putContext(fields, context);
    return fields;
  }

  /** What it asked for, and by what id; an id of null is one too. */
  private static void putMessage(Map<String, @Nullable Object> fields, RpcMessage rpcMessage) {
    switch (rpcMessage) {
      case RpcMessage.Request(var id, var method, _) -> {
        fields.put("method", kept(method));
        fields.put("id", id(id));
      }
      case RpcMessage.Notification(var method, _) -> fields.put("method", kept(method));
      case RpcMessage.Unreadable(_, var id) -> {
        if (id != null) {
          fields.put("id", id(id));
        }
      }
    }
  }

  /** As its type has it; digits that no number here takes are text. */
  private static @Nullable Object id(String token) {
    if (token.equals("null")) {
      return null;
    }
    if (token.startsWith("\"")) {
      return kept(token.substring(1, token.length() - 1));
    }
    return token.length() <= LONG_CHARS_MAX ? (Object) Long.valueOf(token) : kept(token);
  }

  /**
   * A line that is too long is lost; half a credential looks like none, so it is taken out first.
   */
  private static String kept(String text) {
    return TextPrefix.of(CredentialMask.takenOut(text), TEXT_CHARS_MAX);
  }

  /** What the fault itself does not say. */
  private static void putContext(Map<String, @Nullable Object> fields, CallContext context) {
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

  /** A task of ours by the id of its call: its own id has a part that nobody else is to know. */
  private static void putTask(Map<String, @Nullable Object> fields, @Nullable String id) {
    put(
        fields,
        "task_id",
        id == null ? null : TaskId.of(id).map(it -> it.callId().toString()).orElse(id));
  }

  /** What an operator needs to see at once; the journal has the whole fault. */
  private static void putContext(Map<String, @Nullable Object> fields, Fault fault) {
    switch (fault) {
      case Denied denied -> putContext(fields, denied);
      case Withheld withheld -> putContext(fields, withheld);
      case UpstreamFault upstream -> putContext(fields, upstream);
      case ServerFault server -> putContext(fields, server);
      case Misdirected misdirected -> putContext(fields, misdirected);
      case Malformed malformed -> putContext(fields, malformed);
      case TaskFault task -> putContext(fields, task);
      case Unsupported _ -> {}
    }
  }

  private static void putContext(Map<String, @Nullable Object> fields, Denied denied) {
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

  private static void putContext(Map<String, @Nullable Object> fields, Withheld withheld) {
    switch (withheld) {
      case Withheld.InspectionFailed(var inspector, var reason) -> {
        put(fields, "inspector", inspector);
        put(fields, "reason", reason);
      }
      case Withheld.PolicyDrift(var tool, var task, var changedAt, var then, var now) -> {
        put(fields, "tool", tool);
        putTask(fields, task);
        put(fields, "changed_at", changedAt.word());
        put(fields, "rules_then", then);
        put(fields, "rules_now", now);
      }
      case Withheld.TransformDrift(var tool, var task) -> {
        put(fields, "tool", tool);
        putTask(fields, task);
      }
    }
  }

  private static void putContext(Map<String, @Nullable Object> fields, UpstreamFault upstream) {
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

  private static void putContext(Map<String, @Nullable Object> fields, TaskFault fault) {
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
      case TaskFault.ExecutorNotFound(var executor) -> put(fields, "executor", executor);
      case TaskFault.UnknownSkill(var skill) -> put(fields, "skill", skill);
    }
  }

  /** The first of them. */
  private static void put(Map<String, @Nullable Object> fields, List<Problem> problems) {
    if (!problems.isEmpty()) {
      put(fields, "param", problems.getFirst().param());
      put(fields, "expected", problems.getFirst().expected());
    }
  }

  private static void putContext(Map<String, @Nullable Object> fields, ServerFault server) {
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

  private static void putContext(Map<String, @Nullable Object> fields, Misdirected misdirected) {
    switch (misdirected) {
      case Misdirected.MethodNotFound _ -> {} // every line has the method
      case Misdirected.InvalidParams(var problems) -> put(fields, problems);
      case Misdirected.Unauthorized(var refusal) -> put(fields, "reason", refusal.word());
      case Misdirected.RateLimited(var limit, _) -> put(fields, "reason", limit.word());
      case Misdirected.HeaderMismatch(var header) -> put(fields, "header", header);
    }
  }

  private static void putContext(Map<String, @Nullable Object> fields, Malformed malformed) {
    switch (malformed) {
      case Malformed.ParseError(var defect, var offset) -> {
        put(fields, "reason", defect.word());
        put(fields, "offset", offset);
      }
      case Malformed.InvalidRequest(var defect) -> put(fields, "reason", defect.word());
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

  /** By what it is called. */
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
      fields.put(key, TextPrefix.of(text, TEXT_CHARS_MAX));
    }
  }

  /** The kind in words: {@code Tool not exposed}. */
  private static String sentence(Fault fault) {
    if (fault instanceof Denied.PolicyDenied) {
      return "Cedar policy denied";
    }
    if (fault instanceof Denied.ApprovalRejected rejected && rejected.rejectedBy() == null) {
      return "Approval needed and nobody could be asked";
    }
    return SENTENCES.computeIfAbsent(fault.kind(), ErrorReporter::sentence);
  }

  private static String sentence(String kind) {
    String words = kind.replaceAll("(?<=[a-z0-9])(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
    return Character.toUpperCase(words.charAt(0)) + words.substring(1);
  }

  private static String gate(Fault fault) {
    return fault.gate().map(Gate::word).orElse("");
  }

  private static Gate gate(DenialReason reason) {
    return switch (reason) {
      case SOURCE_UNKNOWN, SOURCE_DISABLED, NOT_EXPOSED -> Gate.VISIBILITY;
      case RULE, DEFAULT_ACTION -> Gate.GOVERNANCE;
      case POLICY_FORBIDS, NO_POLICY_PERMITS, POLICY_ERROR -> Gate.POLICY;
      case REJECTED, TIMED_OUT, WORKFLOW_NOT_FOUND, NOT_ASKED -> Gate.APPROVAL;
    };
  }

  private static Level level(Severity severity) {
    return switch (severity) {
      case INFO -> Level.INFO;
      case WARN -> Level.WARN;
      case ERROR -> Level.ERROR;
    };
  }
}
