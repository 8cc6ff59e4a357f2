package gatebook.api.dialect;

import static gatebook.api.dialect.ErrorPhrases.parts;
import static gatebook.api.dialect.ErrorPhrases.retryAfter;
import static gatebook.api.dialect.ErrorPhrases.seconds;
import static gatebook.api.dialect.ErrorPhrases.withoutSecrets;

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
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The public part of a fault, before it gets a code: no dialect discloses more. Rules, policies,
 * inspectors' reasons and the gateway's own failures are not in here.
 *
 * @param sentence what happened
 * @param named what a gate denied
 * @param details where exactly, or what to do about it
 * @param reason one word of a closed list
 * @param problems the values that do not fit, the first found first
 * @param retryAfterSeconds after how long a retry may succeed
 */
record PublicFault(
    String sentence,
    @Nullable NamedTarget named,
    @Nullable String details,
    @Nullable String reason,
    List<Problem> problems,
    @Nullable Long retryAfterSeconds) {

  /**
   * A name that the caller sent.
   *
   * @param kind a tool, a resource or a prompt
   */
  record NamedTarget(String kind, String name) {

    private static NamedTarget of(@Nullable Content content, String name) {
      return new NamedTarget(content == null ? "tool" : content.word(), name);
    }

    @Override
    public String toString() {
      return "%s '%s'".formatted(kind, name);
    }

    private String beginning() {
      String words = toString();
      return Character.toUpperCase(words.charAt(0)) + words.substring(1);
    }
  }

  static PublicFault of(Fault fault) {
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

  private static PublicFault saying(String sentence) {
    return new PublicFault(sentence, null, null, null, List.of(), null);
  }

  private PublicFault of(NamedTarget denied) {
    return new PublicFault(sentence, denied, details, reason, problems, retryAfterSeconds);
  }

  private PublicFault because(String word) {
    return new PublicFault(sentence, named, details, word, problems, retryAfterSeconds);
  }

  PublicFault details(@Nullable String text) {
    return new PublicFault(sentence, named, text, reason, problems, retryAfterSeconds);
  }

  private PublicFault retry(@Nullable Long afterSeconds) {
    return new PublicFault(sentence, named, details, reason, problems, afterSeconds);
  }

  private PublicFault problems(List<Problem> found) {
    return new PublicFault(sentence, named, details, reason, found, retryAfterSeconds);
  }

  private static PublicFault malformed(Malformed fault) {
    return switch (fault) {
      case Malformed.ParseError(var defect, var offset) ->
          saying("Parse error")
              .because(defect.word())
              .details(offset == null ? defect.word() : defect.word() + " at byte " + offset);
      case Malformed.LengthMismatch(long declared, long received) ->
          saying("Parse error")
              .because("length-mismatch")
              .details("%d bytes declared, %d received".formatted(declared, received));
      case Malformed.LengthMissing _ ->
          saying("Parse error")
              .because("length-missing")
              .details("send the body's length in bytes as Content-Length");
      case Malformed.HeaderMalformed(int line) ->
          saying("Parse error").because("header-malformed").details("header line " + line);
      case Malformed.ReadTimeout(long timeoutMillis, _) ->
          saying("Parse error")
              .because("read-timeout")
              .details("not complete after " + seconds(timeoutMillis));
      case Malformed.HeaderTooLarge(long limit) ->
          invalid("header-too-large").details("at most %d bytes".formatted(limit));
      case Malformed.Oversize(long limit, _, _) ->
          invalid("oversize").details("at most %d bytes".formatted(limit));
      case Malformed.UnsupportedContentType _ ->
          invalid("unsupported-content-type").details("send application/json");
      case Malformed.UnsupportedContentEncoding _ ->
          invalid("unsupported-content-encoding").details("send gzip, deflate or no encoding");
      case Malformed.BadCharset _ -> invalid("bad-charset").details("send utf-8");
      case Malformed.InvalidRequest(var defect, var words) ->
          invalid(defect.word()).details(words == null ? defect.word().replace('-', ' ') : words);
      case Malformed.InvalidIdType _ ->
          invalid("invalid-id-type").details("an id is text, a whole number or null");
      case Malformed.UnknownSession _ ->
          invalid("unknown-session").details("initialize again: the session has ended");
      case Malformed.BatchNotSupported _ ->
          invalid("batch-not-supported")
              .details("Batch requests not supported: send one message at a time");
      case Malformed.DuplicateKey(var offset) ->
          invalid("duplicate-key").details(offset == null ? null : "at byte " + offset);
      case Malformed.TooDeep(int depthMax) ->
          invalid("too-deep").details("at most %d levels".formatted(depthMax));
    };
  }

  private static PublicFault misdirected(Misdirected fault) {
    return switch (fault) {
      case Misdirected.MethodNotFound(var method) -> saying("Method not found").details(method);
      case Misdirected.UnknownAgent _ -> saying("Agent not found").details("no such agent");
      case Misdirected.InvalidParams(var found) -> invalidParams(found);
      case Misdirected.Unauthorized(var refusal) -> invalid(refusal.word());
      case Misdirected.RateLimited(var limit, var afterSeconds) ->
          saying("Too many requests")
              .because(limit.word())
              .details(tooMany(limit, afterSeconds))
              .retry(afterSeconds);
      case Misdirected.HeaderMismatch(var header) -> invalid("header-mismatch").details(header);
    };
  }

  private static PublicFault denied(Denied fault) {
    return switch (fault) {
      case Denied.ToolNotExposed(var name, _, var content) ->
          denied("%s is not available", NamedTarget.of(content, name));
      case Denied.GovernanceRuleDenied(var name, var rule, boolean rulePublic, var content) ->
          denied("%s is denied by governance rules", NamedTarget.of(content, name))
              .details(rulePublic && rule != null ? "Matched rule: " + rule : null);
      case Denied.PolicyDenied(var name, _, _, var content) ->
          of("Policy denied access to %s", NamedTarget.of(content, name));
      case Denied.ApprovalRejected(var name, var by, _, _, var content) ->
          by == null
              ? of(
                  "Approval needed for %s, but it cannot be requested",
                  NamedTarget.of(content, name))
              : of("Approval rejected for %s", NamedTarget.of(content, name))
                  .details("Rejected by: " + by);
      case Denied.ApprovalTimeout(var name, long timeoutSeconds, _, var content) ->
          of("Approval timeout for %s after " + timeoutSeconds + "s", NamedTarget.of(content, name))
              .details("nobody decided within %ds: ask again".formatted(timeoutSeconds));
      case Denied.WorkflowNotFound(var workflow) ->
          saying("Approval workflow '%s' not found".formatted(workflow))
              .details("Check approval.%s in config".formatted(workflow));
    };
  }

  private static PublicFault denied(String sentence, NamedTarget namedTarget) {
    return saying(sentence.formatted(namedTarget.beginning())).of(namedTarget);
  }

  private static PublicFault of(String sentence, NamedTarget namedTarget) {
    return saying(sentence.formatted(namedTarget)).of(namedTarget);
  }

  private static PublicFault withheld(Withheld fault) {
    return switch (fault) {
      case Withheld.InspectionFailed(var inspector, _) ->
          saying("Inspection failed").details(inspector);
      case Withheld.PolicyDrift _ ->
          saying("Policy changed since the request was approved: ask again");
      case Withheld.TransformDrift _ ->
          saying("Request is not the one that approval was asked for: ask again");
    };
  }

  private static PublicFault task(TaskFault fault) {
    return switch (fault) {
      case TaskFault.TaskNotFound _ -> saying("Task not found");
      case TaskFault.TaskExpired(_, var ttlSeconds) ->
          saying("Task expired")
              .details(ttlSeconds == null ? null : "kept for %ds".formatted(ttlSeconds));
      case TaskFault.TaskCancelled _ -> saying("Task was cancelled");
      case TaskFault.InvalidTaskSchema(_, var found) ->
          saying("Invalid task schema").details(firstReason(found)).problems(found);
      case TaskFault.TaskNotCancelable _ ->
          saying("Task cannot be cancelled").details("the task cannot be cancelled now");
      case TaskFault.InvalidStateTransition _ ->
          saying("Invalid state transition").details("the task cannot take this step");
      case TaskFault.TaskAlreadyExecuting _ ->
          saying("Task already executing").details("the task is being executed");
      case TaskFault.CircularDependency _ ->
          saying("Circular dependency detected").details("tasks wait for each other");
      case TaskFault.DependencyNotSatisfied _ ->
          saying("Dependency not satisfied").details("the task waits for others");
      case TaskFault.InvalidDependencyReference _ ->
          saying("Invalid dependency reference")
              .details("the task depends on one that does not exist");
      case TaskFault.InvalidParentReference _ ->
          saying("Invalid parent reference").details("the task's parent cannot be one");
      case TaskFault.TaskTreeInvalid(var defect, _) ->
          saying("Task tree validation failed")
              .because(defect.word())
              .details("the tasks form no tree with one root");
      case TaskFault.CannotDeleteTask(_, var obstacle) ->
          saying("Cannot delete task")
              .because(obstacle.word())
              .details("the task cannot be deleted");
      case TaskFault.ExecutorNotFound _ -> saying("Executor not found").details("no such executor");
      case TaskFault.UnknownSkill _ -> saying("Unknown skill").details("no such skill");
      case TaskFault.SeveralTaskFaults several -> task(several.first());
    };
  }

  private static PublicFault unsupported(Unsupported fault) {
    return switch (fault) {
      case Unsupported.PushNotificationNotSupported _ ->
          saying("Push notifications are not supported")
              .details("push notifications are not supported");
      case Unsupported.UnsupportedOperation _ ->
          saying("Operation is not supported").details("the operation is not supported");
      case Unsupported.ExtendedAgentCardNotConfigured _ ->
          saying("There is no extended agent card").details("there is no extended card");
      case Unsupported.ContentTypeNotSupported(_, var accepted) ->
          saying("Content type is not supported")
              .details("the media type is not supported")
              .problems(oneOf("contentType", "a supported media type", accepted));
      case Unsupported.ExtensionSupportRequired(var extension) ->
          saying("Extension is required").because("extension-required").details(extension);
      case Unsupported.ClientCapabilityMissing(var required) ->
          saying("Client capability is required")
              .because("capability-missing")
              .details(String.join(", ", required));
      case Unsupported.VersionNotSupported(_, var supported) ->
          saying("Version is not supported")
              .because("version-not-supported")
              .details("the protocol version is not supported")
              .problems(oneOf("protocolVersion", "a supported version", supported));
    };
  }

  private static PublicFault upstream(UpstreamFault fault) {
    return switch (fault) {
      case UpstreamFault.UpstreamConnectionFailed(_, var url, _, _) ->
          saying("Cannot connect to the upstream server").details(withoutSecrets(url));
      case UpstreamFault.UpstreamTimeout(_, _, long timeoutMillis) ->
          saying("The upstream server did not answer in time")
              .details("no answer within " + seconds(timeoutMillis));
      case UpstreamFault.UpstreamError(_, _, var message, _, _, _) -> upstreamError(message);
      case UpstreamFault.InvalidAgentResponse _ -> upstreamError("its answer breaks the protocol");
      case UpstreamFault.ExecutorFailed _ -> upstreamError("the executor failed");
      case UpstreamFault.CoordinatorError _ -> upstreamError("the coordinator failed");
    };
  }

  private static PublicFault server(ServerFault fault) {
    return switch (fault) {
      case ServerFault.ServiceUnavailable(var cause, var afterSeconds) ->
          saying("Service unavailable")
              .because(
                  cause == ServerFault.Cause.ANSWER_DROPPED
                      ? ServerFault.Cause.OVERLOADED.word()
                      : cause.word())
              .details(parts(unavailable(cause), retryAfter(afterSeconds)))
              .retry(afterSeconds);
      case ServerFault.ConfigurationError _ ->
          saying("Configuration error")
              .details("the rules cannot be used: an operator has to correct them");
      case ServerFault.InternalError _, ServerFault.SerializationError _, ServerFault.IoError _ ->
          saying("Internal error");
    };
  }

  private static PublicFault invalid(String reason) {
    return saying("Invalid Request").because(reason);
  }

  private static PublicFault invalidParams(List<Problem> found) {
    return saying("Invalid params").details(firstReason(found)).problems(found);
  }

  /** The reason of the first problem; the expected value where it has none. */
  private static @Nullable String firstReason(List<Problem> found) {
    return found.isEmpty() ? null : reason(found.getFirst());
  }

  private static String reason(Problem problem) {
    if (problem.reason() != null) {
      return problem.reason();
    }
    return problem.expected() == null
        ? problem.param() + " does not fit"
        : "%s: expected %s".formatted(problem.param(), problem.expected());
  }

  private static List<Problem> oneOf(String param, String expected, List<String> accepted) {
    return List.of(new Problem(param, null, expected, null, accepted));
  }

  private static PublicFault upstreamError(String details) {
    return saying("The upstream server returned an error").details(details);
  }

  private static String tooMany(Misdirected.Limit limit, @Nullable Long afterSeconds) {
    String known = retryAfter(afterSeconds);
    if (known != null) {
      return known;
    }
    return switch (limit) {
      case RATE, UPSTREAM -> "retry later, and less often";
      case HELD_CALLS -> "too many of your calls wait for approval: retry when one is decided";
    };
  }

  private static String unavailable(ServerFault.Cause cause) {
    return switch (cause) {
      case JOURNAL -> "calls cannot be recorded now: nothing was forwarded";
      case OUTCOME_NOT_RECORDED -> "forwarded, outcome not recorded, do not retry";
      case QUEUE_FULL, OVERLOADED -> "overloaded: nothing was forwarded";
      case ANSWER_DROPPED -> "overloaded: forwarded, the answer was dropped, do not retry";
      case HELD_CALLS_FULL -> "too many calls wait for approval";
      case UPSTREAM -> "the upstream server is unavailable";
      case UPSTREAM_QUEUE_FULL -> "too many requests to the upstream server are open";
      case SHUTTING_DOWN -> "shutting down: nothing was forwarded";
    };
  }
}
