package gatebook.api.dialect;

import gatebook.events.call.Dialect;
import gatebook.events.call.Gate;
import gatebook.events.call.Told;
import gatebook.events.fault.Denied;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Malformed;
import gatebook.events.fault.Misdirected;
import gatebook.events.fault.Problem;
import gatebook.events.fault.ServerFault;
import gatebook.events.fault.TaskFault;
import gatebook.events.fault.Unsupported;
import gatebook.events.fault.UpstreamFault;
import gatebook.events.fault.Withheld;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What callers that speak MCP are told.
 *
 * <p>Data always carries {@code correlation_id}; {@code gate} and {@code tool} when a gate denied a
 * call of a tool, {@code details} what the caller may know beyond the message. An invalid request
 * names its {@code reason}, invalid params the first problem as {@code param}, {@code expected},
 * {@code received} and {@code accepted}. Rules, policies and inspectors' reasons are never told.
 */
final class McpVocabulary implements Vocabulary {

  private static final int OK = 200;
  private static final int UNAUTHORIZED = 401;

  private static final int PARSE_ERROR = -32700;
  private static final int INVALID_REQUEST = -32600;
  private static final int METHOD_NOT_FOUND = -32601;
  private static final int INVALID_PARAMS = -32602;
  private static final int INTERNAL_ERROR = -32603;
  private static final int UPSTREAM_CONNECTION_FAILED = -32000;
  private static final int UPSTREAM_TIMEOUT = -32001;
  private static final int UPSTREAM_ERROR = -32002;
  private static final int POLICY_DENIED = -32003;
  private static final int TASK_NOT_FOUND = -32004;
  private static final int TASK_EXPIRED = -32005;
  private static final int TASK_CANCELLED = -32006;
  private static final int APPROVAL_REJECTED = -32007;
  private static final int APPROVAL_TIMEOUT = -32008;
  private static final int RATE_LIMITED = -32009;
  private static final int INSPECTION_FAILED = -32010;
  private static final int POLICY_DRIFT = -32011;
  private static final int TRANSFORM_DRIFT = -32012;
  private static final int SERVICE_UNAVAILABLE = -32013;
  private static final int GOVERNANCE_RULE_DENIED = -32014;
  private static final int TOOL_NOT_EXPOSED = -32015;
  private static final int CONFIGURATION_ERROR = -32016;
  private static final int WORKFLOW_NOT_FOUND = -32017;

  @Override
  public Dialect dialect() {
    return Dialect.MCP;
  }

  @Override
  public Told tell(Fault fault, String correlationId) {
    return PassedOn.told(fault, Dialect.MCP, correlationId)
        .orElseGet(() -> ours(fault, correlationId));
  }

  private static Told ours(Fault fault, String correlationId) {
    Words words = words(fault);
    return new Told(
        Dialect.MCP,
        words.code,
        Cut.text(words.message),
        words.data(fault, correlationId).json(),
        fault instanceof Misdirected.Unauthorized ? UNAUTHORIZED : OK);
  }

  /** A code and its message, with what else of the data the fault is worth. */
  private record Words(
      int code,
      String message,
      @Nullable String tool,
      @Nullable String details,
      @Nullable String reason,
      @Nullable Problem problem) {

    static Words of(int code, String message) {
      return new Words(code, message, null, null, null, null);
    }

    Words tool(String name) {
      return new Words(code, message, name, details, reason, problem);
    }

    Words details(@Nullable String text) {
      return new Words(code, message, tool, text, reason, problem);
    }

    Words reason(String word) {
      return new Words(code, message, tool, details, word, problem);
    }

    Words problem(Problem first) {
      return new Words(code, message, tool, details, reason, first);
    }

    ErrorData data(Fault fault, String correlationId) {
      ErrorData data =
          new ErrorData()
              .put("correlation_id", correlationId)
              .put("gate", fault.gate().map(Gate::word).orElse(null))
              .put("tool", tool)
              .put("details", details)
              .put("reason", reason);
      return problem == null
          ? data
          : data.put("param", problem.param())
              .put("expected", problem.expected())
              .put("received", problem.received())
              .put("accepted", problem.accepted());
    }
  }

  private static Words words(Fault fault) {
    return switch (fault) {
      case Malformed malformed -> malformed(malformed);
      case Misdirected misdirected -> misdirected(misdirected);
      case Denied denied -> denied(denied);
      case Withheld withheld -> withheld(withheld);
      case TaskFault task -> task(task);
      case Unsupported unsupported -> unsupported(unsupported);
      case UpstreamFault upstream -> upstream(upstream);
      case ServerFault server -> server(server);
    };
  }

  private static Words malformed(Malformed fault) {
    return switch (fault) {
      case Malformed.ParseError(var defect, var offset) ->
          Words.of(PARSE_ERROR, "Parse error")
              .details(offset == null ? defect.word() : defect.word() + " at byte " + offset);
      case Malformed.LengthMismatch(var declared, var received) ->
          Words.of(PARSE_ERROR, "Parse error")
              .details("%d bytes declared, %d received".formatted(declared, received));
      case Malformed.LengthMissing _ -> invalid("length-missing");
      case Malformed.HeaderMalformed(int line) ->
          invalid("header-malformed").details("header line " + line);
      case Malformed.HeaderTooLarge(long limit) ->
          invalid("header-too-large").details("at most %d bytes".formatted(limit));
      case Malformed.ReadTimeout(long timeoutMillis, _) ->
          invalid("read-timeout").details("not complete after " + seconds(timeoutMillis));
      case Malformed.Oversize(long limit, _) ->
          invalid("oversize").details("at most %d bytes".formatted(limit));
      case Malformed.UnsupportedContentType _ ->
          invalid("unsupported-content-type").details("send application/json");
      case Malformed.BadCharset _ -> invalid("bad-charset").details("send utf-8");
      case Malformed.InvalidRequest(var defect) ->
          invalid(defect.word()).details(defect.word().replace('-', ' '));
      case Malformed.InvalidIdType _ ->
          invalid("invalid-id-type").details("an id is text, a whole number or null");
      case Malformed.BatchNotSupported _ ->
          invalid("batch-not-supported").details("send one message at a time");
      case Malformed.DuplicateKey(var offset) ->
          invalid("duplicate-key").details(offset == null ? null : "at byte " + offset);
      case Malformed.TooDeep(int depthMax) ->
          invalid("too-deep").details("at most %d levels".formatted(depthMax));
    };
  }

  private static Words misdirected(Misdirected fault) {
    return switch (fault) {
      case Misdirected.MethodNotFound(var method) ->
          Words.of(METHOD_NOT_FOUND, "Method not found").details(method);
      case Misdirected.InvalidParams(var problems) -> invalidParams(problems);
      case Misdirected.Unauthorized(var refusal) -> invalid(refusal.word());
      case Misdirected.RateLimited(_, var retryAfterSeconds) ->
          Words.of(RATE_LIMITED, "Too many requests").details(retryAfter(retryAfterSeconds));
      case Misdirected.HeaderMismatch(var header) -> invalid("header-mismatch").details(header);
    };
  }

  private static Words denied(Denied fault) {
    return switch (fault) {
      case Denied.ToolNotExposed(var tool, _) ->
          Words.of(TOOL_NOT_EXPOSED, "Tool '%s' is not available".formatted(tool)).tool(tool);
      case Denied.GovernanceRuleDenied(var tool, var rule, boolean rulePublic) ->
          Words.of(
                  GOVERNANCE_RULE_DENIED, "Tool '%s' is denied by governance rules".formatted(tool))
              .tool(tool)
              .details(rulePublic && rule != null ? "Matched rule: " + rule : null);
      case Denied.PolicyDenied(var tool, _, _) ->
          Words.of(POLICY_DENIED, "Policy denied access to tool '%s'".formatted(tool)).tool(tool);
      case Denied.ApprovalRejected(var tool, var by, _, _) ->
          Words.of(APPROVAL_REJECTED, "Approval rejected for tool '%s'".formatted(tool))
              .tool(tool)
              .details(by == null ? null : "Rejected by: " + by);
      case Denied.ApprovalTimeout(var tool, long timeoutSeconds, _) ->
          Words.of(
                  APPROVAL_TIMEOUT,
                  "Approval timeout for tool '%s' after %ds".formatted(tool, timeoutSeconds))
              .tool(tool)
              .details("nobody decided within %ds: ask again".formatted(timeoutSeconds));
      case Denied.WorkflowNotFound(var workflow) ->
          Words.of(WORKFLOW_NOT_FOUND, "Approval workflow '%s' not found".formatted(workflow))
              .details("Check approval.%s in config".formatted(workflow));
    };
  }

  private static Words withheld(Withheld fault) {
    return switch (fault) {
      case Withheld.InspectionFailed(var inspector, _) ->
          Words.of(INSPECTION_FAILED, "Inspection failed").details(inspector);
      case Withheld.PolicyDrift _ ->
          Words.of(POLICY_DRIFT, "Policy changed since the request was approved: ask again");
      case Withheld.TransformDrift _ ->
          Words.of(TRANSFORM_DRIFT, "Request changed since it was approved: ask again");
    };
  }

  private static Words task(TaskFault fault) {
    return switch (fault) {
      case TaskFault.TaskNotFound _ -> Words.of(TASK_NOT_FOUND, "Task not found");
      case TaskFault.TaskExpired(_, var ttlSeconds) ->
          Words.of(TASK_EXPIRED, "Task expired")
              .details(ttlSeconds == null ? null : "kept for %ds".formatted(ttlSeconds));
      case TaskFault.TaskCancelled _ -> Words.of(TASK_CANCELLED, "Task was cancelled");
      case TaskFault.InvalidTaskSchema(_, var problems) -> invalidParams(problems);
      case TaskFault.TaskNotCancelable _ -> invalidParams("the task cannot be cancelled now");
      case TaskFault.InvalidStateTransition _ -> invalidParams("the task cannot take this step");
      case TaskFault.TaskAlreadyExecuting _ -> invalidParams("the task is being executed");
      case TaskFault.CircularDependency _ -> invalidParams("tasks wait for each other");
      case TaskFault.DependencyNotSatisfied _ -> invalidParams("the task waits for others");
      case TaskFault.InvalidDependencyReference _ ->
          invalidParams("the task depends on one that does not exist");
      case TaskFault.InvalidParentReference _ -> invalidParams("the task's parent cannot be one");
      case TaskFault.TaskTreeInvalid _ -> invalidParams("the tasks form no tree with one root");
      case TaskFault.CannotDeleteTask _ -> invalidParams("the task cannot be deleted");
      case TaskFault.ExecutorNotFound _ -> invalidParams("no such executor");
      case TaskFault.UnknownSkill _ -> invalidParams("no such skill");
    };
  }

  private static Words unsupported(Unsupported fault) {
    return switch (fault) {
      case Unsupported.PushNotificationNotSupported _ ->
          unsupported("push notifications are not supported");
      case Unsupported.UnsupportedOperation _ -> unsupported("the operation is not supported");
      case Unsupported.ExtendedAgentCardNotConfigured _ -> unsupported("there is no extended card");
      case Unsupported.ContentTypeNotSupported(_, var accepted) ->
          invalidParams("the media type is not supported")
              .problem(new Problem("contentType", null, "a supported media type", null, accepted));
      case Unsupported.ExtensionSupportRequired(var extension) ->
          invalid("extension-required").details(extension);
      case Unsupported.ClientCapabilityMissing(var required) ->
          invalid("capability-missing").details(String.join(", ", required));
      case Unsupported.VersionNotSupported(_, var supported) ->
          invalidParams("the protocol version is not supported")
              .problem(
                  new Problem("protocolVersion", null, "a supported version", null, supported));
    };
  }

  private static Words upstream(UpstreamFault fault) {
    return switch (fault) {
      case UpstreamFault.UpstreamConnectionFailed(_, var url, _, _) ->
          Words.of(UPSTREAM_CONNECTION_FAILED, "Cannot connect to the upstream server")
              .details(withoutSecrets(url));
      case UpstreamFault.UpstreamTimeout(_, _, long timeoutMillis) ->
          Words.of(UPSTREAM_TIMEOUT, "The upstream server did not answer in time")
              .details("no answer within " + seconds(timeoutMillis));
      case UpstreamFault.UpstreamError(_, _, var message, _, _, _) ->
          Words.of(UPSTREAM_ERROR, "The upstream server returned an error").details(message);
      case UpstreamFault.InvalidAgentResponse _ ->
          Words.of(UPSTREAM_ERROR, "The upstream server returned an error")
              .details("its answer breaks the protocol");
      case UpstreamFault.ExecutorFailed _ ->
          Words.of(UPSTREAM_ERROR, "The upstream server returned an error")
              .details("the executor failed");
      case UpstreamFault.CoordinatorError _ ->
          Words.of(UPSTREAM_ERROR, "The upstream server returned an error")
              .details("the coordinator failed");
    };
  }

  private static Words server(ServerFault fault) {
    return switch (fault) {
      case ServerFault.ServiceUnavailable(var cause, var retryAfterSeconds) ->
          Words.of(SERVICE_UNAVAILABLE, "Service unavailable")
              .details(unavailable(cause, retryAfterSeconds));
      case ServerFault.ConfigurationError _ ->
          Words.of(CONFIGURATION_ERROR, "Configuration error")
              .details("the rules cannot be used: an operator has to correct them");
      case ServerFault.InternalError _, ServerFault.SerializationError _, ServerFault.IoError _ ->
          Words.of(INTERNAL_ERROR, "Internal error");
    };
  }

  private static String unavailable(ServerFault.Cause cause, @Nullable Long retryAfterSeconds) {
    String what =
        switch (cause) {
          case JOURNAL -> "calls cannot be recorded now: nothing was forwarded";
          case OUTCOME_NOT_RECORDED -> "forwarded, outcome not recorded, do not retry";
          case QUEUE_FULL -> "overloaded: nothing was forwarded";
          case HELD_CALLS_FULL -> "too many calls wait for approval";
          case UPSTREAM -> "the upstream server is unavailable";
          case SHUTTING_DOWN -> "shutting down: nothing was forwarded";
        };
    return retryAfterSeconds == null ? what : what + ", " + retryAfter(retryAfterSeconds);
  }

  private static @Nullable String retryAfter(@Nullable Long seconds) {
    return seconds == null ? null : "retry after %ds".formatted(seconds);
  }

  private static Words invalid(String reason) {
    return Words.of(INVALID_REQUEST, "Invalid Request").reason(reason);
  }

  private static Words unsupported(String details) {
    return Words.of(METHOD_NOT_FOUND, "Method not found").details(details);
  }

  private static Words invalidParams(String details) {
    return Words.of(INVALID_PARAMS, "Invalid params").details(details);
  }

  private static Words invalidParams(List<Problem> problems) {
    Words words = Words.of(INVALID_PARAMS, "Invalid params");
    return problems.isEmpty()
        ? words
        : words.details(problems.getFirst().reason()).problem(problems.getFirst());
  }

  private static String seconds(long millis) {
    return millis % 1_000 == 0 ? millis / 1_000 + "s" : millis + "ms";
  }

  /** Scheme, host, port and path; nothing of what cannot be told apart. */
  private static @Nullable String withoutSecrets(String url) {
    try {
      URI uri = new URI(url);
      return uri.getHost() == null
          ? null
          : new URI(uri.getScheme(), null, uri.getHost(), uri.getPort(), uri.getPath(), null, null)
              .toString();
    } catch (URISyntaxException _) {
      return null;
    }
  }
}
