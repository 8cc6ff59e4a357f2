package gatebook.api.dialect;

import gatebook.events.call.Gate;
import gatebook.events.call.Json;
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
import java.util.List;

/** At least one fault of each kind; what nobody may be told says so. */
final class Faults {

  static final String SECRET = "hidden";

  private Faults() {}

  private static final Problem PROBLEM =
      new Problem("limit", "too large", "at most 10", Json.parse("11"), List.of("1", "10"));

  static List<Fault> all() {
    return List.of(
        new Malformed.ParseError(Malformed.ParseDefect.SYNTAX, 7L),
        new Malformed.ParseError(Malformed.ParseDefect.EMPTY, null),
        new Malformed.LengthMismatch(10, 7),
        new Malformed.LengthMissing(),
        new Malformed.HeaderMalformed(2),
        new Malformed.HeaderTooLarge(8192),
        new Malformed.ReadTimeout(30_000, 5),
        new Malformed.Oversize(10_485_760, 20_000_000L),
        new Malformed.UnsupportedContentType("text/" + SECRET),
        new Malformed.BadCharset(SECRET),
        new Malformed.InvalidRequest(Malformed.EnvelopeDefect.METHOD_MISSING),
        new Malformed.InvalidIdType("fraction"),
        new Malformed.BatchNotSupported(),
        new Malformed.DuplicateKey(12L),
        new Malformed.TooDeep(256),
        new Misdirected.MethodNotFound("no/such"),
        new Misdirected.InvalidParams(List.of(PROBLEM)),
        new Misdirected.Unauthorized(Misdirected.Refusal.TOKEN_UNKNOWN),
        new Misdirected.RateLimited(Misdirected.Limit.RATE, 3L),
        new Misdirected.RateLimited(Misdirected.Limit.UPSTREAM, null),
        new Misdirected.HeaderMismatch("Mcp-Method"),
        new Denied.ToolNotExposed("tool", SECRET),
        new Denied.GovernanceRuleDenied("tool", "tool_*", true),
        new Denied.GovernanceRuleDenied("tool", SECRET, false),
        new Denied.PolicyDenied("tool", SECRET, SECRET),
        new Denied.ApprovalRejected("tool", "alice", SECRET, SECRET),
        new Denied.ApprovalRejected("tool", null, null, null),
        new Denied.ApprovalTimeout("tool", 600, SECRET),
        new Denied.WorkflowNotFound("deploy"),
        new Withheld.InspectionFailed("secrets", SECRET),
        new Withheld.PolicyDrift(SECRET, SECRET, Gate.POLICY, SECRET, SECRET),
        new Withheld.TransformDrift(SECRET, SECRET),
        new TaskFault.TaskNotFound(SECRET),
        new TaskFault.TaskExpired(SECRET, 60L),
        new TaskFault.TaskCancelled(SECRET),
        new TaskFault.TaskNotCancelable(SECRET, SECRET),
        new TaskFault.InvalidStateTransition(SECRET, SECRET, SECRET, SECRET),
        new TaskFault.TaskAlreadyExecuting(SECRET),
        new TaskFault.InvalidTaskSchema(SECRET, List.of(PROBLEM)),
        new TaskFault.CircularDependency(List.of(SECRET)),
        new TaskFault.DependencyNotSatisfied(SECRET, List.of(SECRET)),
        new TaskFault.InvalidDependencyReference(SECRET, SECRET),
        new TaskFault.InvalidParentReference(SECRET, SECRET, SECRET),
        new TaskFault.TaskTreeInvalid(TaskFault.TreeDefect.NO_ROOT, SECRET),
        new TaskFault.CannotDeleteTask(SECRET, TaskFault.Obstacle.HAS_CHILDREN),
        new TaskFault.ExecutorNotFound(SECRET),
        new TaskFault.UnknownSkill(SECRET),
        new Unsupported.PushNotificationNotSupported(),
        new Unsupported.UnsupportedOperation(SECRET, SECRET),
        new Unsupported.ContentTypeNotSupported(SECRET, List.of("text/plain")),
        new Unsupported.ExtendedAgentCardNotConfigured(),
        new Unsupported.ExtensionSupportRequired("urn:extension"),
        new Unsupported.ClientCapabilityMissing(List.of("roots", "sampling")),
        new Unsupported.VersionNotSupported(SECRET, List.of("2025-11-25")),
        new UpstreamFault.UpstreamConnectionFailed(
            SECRET, "http://u:hidden@up.example:8080/mcp?k=hidden#hidden", SECRET, 3),
        new UpstreamFault.UpstreamConnectionFailed(SECRET, "hidden:no url", SECRET, 3),
        new UpstreamFault.UpstreamTimeout(SECRET, "http://hidden", 30_000),
        new UpstreamFault.UpstreamError(SECRET, -32_042, "no room", Json.parse("{}"), 200),
        new UpstreamFault.InvalidAgentResponse(SECRET, SECRET),
        new UpstreamFault.ExecutorFailed(SECRET, SECRET, SECRET),
        new UpstreamFault.CoordinatorError(SECRET),
        new ServerFault.ServiceUnavailable(ServerFault.Cause.JOURNAL, null),
        new ServerFault.ServiceUnavailable(ServerFault.Cause.OUTCOME_NOT_RECORDED, null),
        new ServerFault.ServiceUnavailable(ServerFault.Cause.QUEUE_FULL, 1L),
        new ServerFault.ServiceUnavailable(ServerFault.Cause.HELD_CALLS_FULL, null),
        new ServerFault.ServiceUnavailable(ServerFault.Cause.UPSTREAM, 9L),
        new ServerFault.ServiceUnavailable(ServerFault.Cause.SHUTTING_DOWN, null),
        new ServerFault.ConfigurationError(SECRET),
        new ServerFault.InternalError(SECRET, SECRET),
        new ServerFault.SerializationError(SECRET),
        new ServerFault.IoError(SECRET));
  }
}
