package gatebook.api.flow.read;

import gatebook.api.flow.read.FlowReading.NoSuchMethod;
import gatebook.api.flow.read.FlowReading.Rejected;
import gatebook.api.flow.read.FlowReading.Understood;
import gatebook.api.flow.task.FlowCaller;
import gatebook.api.flow.task.FlowProfile;
import gatebook.api.flow.task.FlowRequest;
import gatebook.api.flow.task.FlowRequest.ExecutionTarget;
import gatebook.api.flow.task.FlowRequest.TaskPage;
import gatebook.api.flow.task.TaskChanges;
import gatebook.api.flow.task.TaskSchemas;
import gatebook.api.flow.webhook.WebhookParams;
import gatebook.api.rpc.ArrayElements;
import gatebook.api.rpc.CheckedMembers;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.tree.ReadTask;
import gatebook.command.tree.TaskCopy;
import gatebook.events.fault.Fault;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads the requests of the task-flow protocol in both profiles. */
public final class FlowRequestReader {
  private static final String EMPTY = "{}";

  private final TaskSchemas taskSchemas;

  public FlowRequestReader() {
    this(new TaskSchemas(() -> GatewayLimits.DEFAULT));
  }

  public FlowRequestReader(TaskSchemas taskSchemas) {
    this.taskSchemas = taskSchemas;
  }

  /** Reads a request under the default limits. */
  public FlowReading read(
      FlowProfile profile, String method, @Nullable String params, FlowCaller caller) {
    return read(profile, method, params, caller, GatewayLimits.DEFAULT);
  }

  /**
   * Reads a request.
   *
   * @param params the text of an object or array; absent where there was none
   */
  public FlowReading read(
      FlowProfile profile,
      String method,
      @Nullable String params,
      FlowCaller caller,
      GatewayLimits gatewayLimits) {
    Optional<FlowMethod> known = FlowMethod.of(method);
    if (known.isEmpty()) {
      return new NoSuchMethod();
    }
    RequestFindings findings = new RequestFindings();
    FlowRequest request =
        new Reading(profile, caller, gatewayLimits, findings)
            .request(known.get(), params == null ? EMPTY : params);
    Optional<Fault> fault = findings.fault();
    return fault.isPresent() ? new Rejected(fault.get()) : new Understood(request);
  }

  /** The content of a task with changes, or why it cannot have them. */
  public TaskUpdate updated(
      FlowProfile profile,
      ReadTask stored,
      TaskChanges changes,
      FlowCaller caller,
      GatewayLimits gatewayLimits) {
    return new TaskUpdateReader(fieldsReader(profile, gatewayLimits))
        .updated(stored, changes, caller);
  }

  /**
   * The drafts of copies, as their members say: some of them may have been reset to anything. A
   * source may have been created in any profile, so they are read in the wider one.
   *
   * @param findings receives what is wrong with them
   */
  public List<TaskCopy> copies(
      List<TaskCopy> copies, RequestFindings findings, GatewayLimits gatewayLimits) {
    TaskCopyReader reader =
        new TaskCopyReader(fieldsReader(FlowProfile.CLIENT, gatewayLimits), findings);
    return copies.stream().map(reader::read).toList();
  }

  private TaskFieldsReader fieldsReader(FlowProfile profile, GatewayLimits gatewayLimits) {
    return new TaskFieldsReader(profile, TaskSizes.of(gatewayLimits), taskSchemas.checks());
  }

  /** One request that is being read. */
  private final class Reading {
    private final FlowProfile profile;
    private final FlowCaller caller;
    private final RequestFindings findings;
    private final GatewayLimits gatewayLimits;
    private final FlowParams declared;

    Reading(
        FlowProfile profile,
        FlowCaller caller,
        GatewayLimits gatewayLimits,
        RequestFindings findings) {
      this.profile = profile;
      this.caller = caller;
      this.findings = findings;
      this.gatewayLimits = gatewayLimits;
      this.declared = FlowParams.of(profile);
    }

    /** What is read is of use only if nothing was found. */
    FlowRequest request(FlowMethod method, String json) {
      if (method == FlowMethod.CREATE) {
        return new FlowRequest.Create(
            ArrayElements.of(json)
                .map(elements -> tasks().array("params", elements))
                .orElseGet(() -> tasks().single(json)));
      }
      CheckedMembers params =
          CheckedMembers.of(
              json, FlowParams.of(method, profile, gatewayLimits), UnaryOperator.identity());
      FlowRequest request = ofMembers(method, params);
      findings.checkUser(params.text(FlowParams.USER_ID), caller);
      findings.addParams(params.problems());
      return request;
    }

    private TaskListReader tasks() {
      return new TaskListReader(profile, fieldsReader(profile, gatewayLimits), caller, findings);
    }

    private FlowRequest ofMembers(FlowMethod method, CheckedMembers params) {
      String taskId = params.text(declared.taskId).orElse("");
      return switch (method) {
        case CREATE -> new FlowRequest.Create(List.of());
        case GET -> new FlowRequest.Get(taskId);
        case DETAIL -> new FlowRequest.Detail(taskId);
        case UPDATE -> ChangeParams.update(declared, params, caller, findings);
        case DELETE -> new FlowRequest.Delete(taskId);
        case LIST ->
            new FlowRequest.ListTasks(
                params.word(FlowParams.STATUS, FlowParams.STATUSES).map(Set::of).orElse(Set.of()),
                params.flag(FlowParams.rootOnly(declared.isOfClient)),
                page(params));
        case CHILDREN -> new FlowRequest.Children(params.text(declared.parentId).orElse(""));
        case TREE -> new FlowRequest.Tree(taskId);
        case EXECUTE -> execute(params);
        case CANCEL, RUNNING_CANCEL -> cancel(params);
        case COPY, CLONE -> CopyParams.copy(method, declared, params, caller, findings);
        case COUNT ->
            new FlowRequest.CountTasks(
                params.texts(FlowParams.STATUSES_LISTED).stream()
                    .flatMap(word -> Optional.ofNullable(FlowParams.STATUSES.get(word)).stream())
                    .collect(Collectors.toSet()),
                params.flag(FlowParams.rootOnly(false)));
        case RUNNING_LIST -> new FlowRequest.RunningList(page(params));
        case RUNNING_STATUS -> new FlowRequest.RunningStatus(namedTasks(params));
        case RUNNING_COUNT -> new FlowRequest.RunningCount();
        case HEALTH -> new FlowRequest.SystemHealth();
        case EXECUTORS -> new FlowRequest.Executors();
      };
    }

    /** Existing clients have no longest page, so theirs is cut. */
    private TaskPage page(CheckedMembers params) {
      return new TaskPage(
          Math.min(params.whole(declared.limit).orElseThrow(), TaskPage.LIMIT_MAX),
          params.whole(FlowParams.OFFSET).orElseThrow());
    }

    private List<String> namedTasks(CheckedMembers params) {
      return params.has(declared.taskIds)
          ? FlowParams.ids(params, declared.taskIds)
          : params.text(declared.storedTask.or("id")).stream().toList();
    }

    private FlowRequest execute(CheckedMembers params) {
      if (params.flag(FlowParams.USE_DEMO)) {
        params.add(
            FlowParams.USE_DEMO, "Not supported", "false or absent, which runs the real tools");
      }
      return new FlowRequest.Execute(
          target(params),
          params.flag(FlowParams.RERUNS),
          params.flag(FlowParams.WAIT),
          params.flag(FlowParams.USE_STREAMING),
          WebhookParams.webhook(params, gatewayLimits));
    }

    private ExecutionTarget target(CheckedMembers params) {
      Optional<List<String>> tasks = params.json(FlowParams.TASKS).flatMap(ArrayElements::of);
      if (params.has(declared.storedTask)) {
        if (tasks.isPresent()) {
          params.add(FlowParams.TASKS, CheckedMembers.WRONG_VALUE, "either tasks or task_id");
        }
        return new ExecutionTarget.StoredTask(params.text(declared.storedTask).orElse(""));
      }
      params.require(FlowParams.TASKS, "an array of tasks, or task_id");
      return new ExecutionTarget.NewTasks(
          tasks.map(elements -> tasks().array("tasks", elements)).orElse(List.of()));
    }

    private FlowRequest cancel(CheckedMembers params) {
      if (declared.isOfClient && !params.has(declared.taskIds)) {
        params.require(declared.taskId);
      }
      return new FlowRequest.Cancel(
          namedTasks(params),
          params.flag(FlowParams.FORCE),
          params
              .text(FlowParams.ERROR_MESSAGE)
              .filter(text -> !text.isBlank())
              .orElse(FlowParams.CANCELLED_BY_USER),
          params.flag(FlowParams.CANCELS_BELOW));
    }
  }
}
