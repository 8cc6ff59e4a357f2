package gatebook.command.call;

import gatebook.command.redact.Scrubber;
import gatebook.events.call.JsonValue;
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
import org.jspecify.annotations.Nullable;

/**
 * Scrubs faults before they are recorded: removes secrets from names that callers chose. Text from
 * an upstream was scrubbed on receipt.
 */
public final class FaultScrubber {

  private final Scrubber names;

  private FaultScrubber(Scrubber names) {
    this.names = names;
  }

  /** Returns an equal fault when there is nothing to remove. */
  public static Fault scrub(Fault fault, Scrubber names) {
    FaultScrubber scrubber = new FaultScrubber(names);
    return switch (fault) {
      case Denied denied -> scrubber.scrub(denied);
      case Withheld withheld -> scrubber.scrub(withheld);
      case Misdirected misdirected -> scrubber.scrub(misdirected);
      case TaskFault task -> scrubber.scrub(task);
      case Unsupported unsupported -> scrubber.scrub(unsupported);
      case Malformed _, UpstreamFault _, ServerFault _ -> fault;
    };
  }

  private Fault scrub(Denied denied) {
    return switch (denied) {
      case Denied.ToolNotExposed(var name, var source, var content) ->
          new Denied.ToolNotExposed(name(name), source, content);
      case Denied.GovernanceRuleDenied(var name, var rule, boolean isPublic, var content) ->
          new Denied.GovernanceRuleDenied(name(name), rule, isPublic, content);
      case Denied.PolicyDenied(var name, var policyId, var reason, var content) ->
          new Denied.PolicyDenied(name(name), policyId, nameOrNull(reason), content);
      case Denied.ApprovalRejected(var name, var by, var reason, var workflow, var content) ->
          new Denied.ApprovalRejected(name(name), by, nameOrNull(reason), workflow, content);
      case Denied.ApprovalTimeout(var name, long seconds, var workflow, var content) ->
          new Denied.ApprovalTimeout(name(name), seconds, workflow, content);
      case Denied.WorkflowNotFound _ -> denied;
    };
  }

  private Fault scrub(Withheld withheld) {
    return switch (withheld) {
      case Withheld.InspectionFailed(var inspector, var reason) ->
          new Withheld.InspectionFailed(inspector, name(reason));
      case Withheld.PolicyDrift(var tool, var taskId, var gate, var then, var now) ->
          new Withheld.PolicyDrift(name(tool), taskId, gate, then, now);
      case Withheld.TransformDrift(var tool, var taskId) ->
          new Withheld.TransformDrift(name(tool), taskId);
    };
  }

  private Fault scrub(Misdirected misdirected) {
    return switch (misdirected) {
      case Misdirected.MethodNotFound(var method) -> new Misdirected.MethodNotFound(name(method));
      case Misdirected.UnknownAgent(var agent) -> new Misdirected.UnknownAgent(name(agent));
      case Misdirected.InvalidParams(var problems) ->
          new Misdirected.InvalidParams(problems(problems));
      case Misdirected.HeaderMismatch(var header) -> new Misdirected.HeaderMismatch(name(header));
      case Misdirected.Unauthorized _, Misdirected.RateLimited _ -> misdirected;
    };
  }

  private TaskFault scrub(TaskFault fault) {
    return switch (fault) {
      case TaskFault.TaskNotFound(var id) -> new TaskFault.TaskNotFound(taskId(id));
      case TaskFault.TaskExpired(var id, var ttl) -> new TaskFault.TaskExpired(taskId(id), ttl);
      case TaskFault.TaskCancelled(var id) -> new TaskFault.TaskCancelled(taskId(id));
      case TaskFault.TaskNotCancelable(var id, var current) ->
          new TaskFault.TaskNotCancelable(taskId(id), nameOrNull(current));
      case TaskFault.InvalidStateTransition(var id, var current, var target, var reason) ->
          new TaskFault.InvalidStateTransition(
              taskIdOrNull(id), name(current), name(target), nameOrNull(reason));
      case TaskFault.TaskAlreadyExecuting(var id) -> new TaskFault.TaskAlreadyExecuting(taskId(id));
      case TaskFault.InvalidTaskSchema(var id, var problems) ->
          new TaskFault.InvalidTaskSchema(taskIdOrNull(id), problems(problems));
      case TaskFault.CircularDependency(var cycle) ->
          new TaskFault.CircularDependency(taskIds(cycle));
      case TaskFault.DependencyNotSatisfied(var id, var waitsFor) ->
          new TaskFault.DependencyNotSatisfied(taskId(id), taskIds(waitsFor));
      case TaskFault.InvalidDependencyReference(var id, var dependency) ->
          new TaskFault.InvalidDependencyReference(taskIdOrNull(id), taskId(dependency));
      case TaskFault.InvalidParentReference(var id, var parent, var reason) ->
          new TaskFault.InvalidParentReference(
              taskIdOrNull(id), taskId(parent), nameOrNull(reason));
      case TaskFault.TaskTreeInvalid(var defect, var id) ->
          new TaskFault.TaskTreeInvalid(defect, taskIdOrNull(id));
      case TaskFault.CannotDeleteTask(var id, var obstacle) ->
          new TaskFault.CannotDeleteTask(taskId(id), obstacle);
      case TaskFault.ExecutorNotFound(var executor, var candidates) ->
          new TaskFault.ExecutorNotFound(
              name(executor),
              candidates == null ? null : candidates.stream().map(this::name).toList());
      case TaskFault.UnknownSkill(var skill) -> new TaskFault.UnknownSkill(name(skill));
      case TaskFault.SeveralTaskFaults(var faults) ->
          new TaskFault.SeveralTaskFaults(faults.stream().map(this::scrub).toList());
    };
  }

  /** A task id of this gateway stays: it looks like a secret, but operators find the call by it. */
  private String taskId(String id) {
    return TaskId.parse(id).isPresent() ? id : name(id);
  }

  private @Nullable String taskIdOrNull(@Nullable String id) {
    return id == null ? null : taskId(id);
  }

  private List<String> taskIds(List<String> ids) {
    return ids.stream().map(this::taskId).toList();
  }

  private Fault scrub(Unsupported unsupported) {
    return switch (unsupported) {
      case Unsupported.UnsupportedOperation(var operation, var reason) ->
          new Unsupported.UnsupportedOperation(name(operation), nameOrNull(reason));
      case Unsupported.ContentTypeNotSupported(var type, var accepted) ->
          new Unsupported.ContentTypeNotSupported(name(type), accepted);
      case Unsupported.ExtensionSupportRequired(var extension) ->
          new Unsupported.ExtensionSupportRequired(name(extension));
      case Unsupported.VersionNotSupported(var requested, var supported) ->
          new Unsupported.VersionNotSupported(name(requested), supported);
      case Unsupported.PushNotificationNotSupported _,
          Unsupported.ExtendedAgentCardNotConfigured _,
          Unsupported.ClientCapabilityMissing _ ->
          unsupported;
    };
  }

  private List<Problem> problems(List<Problem> problems) {
    return problems.stream().map(this::problem).toList();
  }

  private Problem problem(Problem problem) {
    JsonValue received = problem.received();
    return new Problem(
        name(problem.param()),
        problem.reason(),
        problem.expected(),
        received == null ? null : names.scrub(received),
        problem.accepted());
  }

  private String name(String name) {
    return names.scrub(name);
  }

  private @Nullable String nameOrNull(@Nullable String name) {
    return name == null ? null : names.scrub(name);
  }
}
