package gatebook.api.flow.read;

import gatebook.api.flow.read.FlowReading.NoSuchMethod;
import gatebook.api.flow.read.FlowReading.Rejected;
import gatebook.api.flow.read.FlowReading.Understood;
import gatebook.api.flow.task.FlowCaller;
import gatebook.api.flow.task.FlowProfile;
import gatebook.api.flow.task.FlowRequest;
import gatebook.api.flow.task.FlowRequest.ExecutionTarget;
import gatebook.api.flow.task.TaskChanges;
import gatebook.api.flow.task.TaskSchemas;
import gatebook.api.flow.webhook.WebhookParams;
import gatebook.api.rpc.ArrayElements;
import gatebook.api.rpc.CheckedMembers;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.tree.ReadTask;
import gatebook.command.tree.TaskCopy;
import gatebook.command.tree.TaskDraft;
import gatebook.events.fault.Fault;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the requests of the task-flow protocol in both profiles. */
public final class FlowRequestReader {
  /** The most characters of the reason why a task is cancelled, which an event has room for. */
  static final int ERROR_CHARS_MAX = 4_096;

  /** The reason for a cancellation without one. */
  public static final String CANCELLED_BY_USER = "Cancelled by user";

  private static final String EMPTY = "{}";

  /** With it, existing clients want made-up results, and no tool to be called. */
  private static final String USE_DEMO = "use_demo";

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
        new Reading(profile, params == null ? EMPTY : params, caller, gatewayLimits, findings)
            .request(known.get());
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
    private final String json;
    private final FlowCaller caller;
    private final RequestFindings findings;
    private final TaskFieldsReader fieldsReader;
    private final RequestParams params;
    private final GatewayLimits gatewayLimits;

    Reading(
        FlowProfile profile,
        String json,
        FlowCaller caller,
        GatewayLimits gatewayLimits,
        RequestFindings findings) {
      this.profile = profile;
      this.json = json;
      this.caller = caller;
      this.findings = findings;
      this.gatewayLimits = gatewayLimits;
      this.fieldsReader = fieldsReader(profile, gatewayLimits);
      this.params = new RequestParams(profile, json, fieldsReader);
    }

    /** What is read is of use only if nothing was found. */
    FlowRequest request(FlowMethod method) {
      if (method == FlowMethod.CREATE) {
        return new FlowRequest.Create(created());
      }
      if (!json.startsWith("{")) {
        params.members().addWrongType("params", "object", json);
      }
      FlowRequest request = ofMembers(method);
      findings.checkUser(params.members().anyText("user_id"), caller);
      findings.addParams(params.problems());
      return request;
    }

    private List<TaskDraft> created() {
      return ArrayElements.of(json)
          .map(elements -> tasks().array("params", elements))
          .orElseGet(() -> tasks().single(json));
    }

    private TaskListReader tasks() {
      return new TaskListReader(profile, fieldsReader, caller, findings);
    }

    private FlowRequest ofMembers(FlowMethod method) {
      return switch (method) {
        case CREATE -> new FlowRequest.Create(List.of());
        case GET -> new FlowRequest.Get(params.taskId());
        case DETAIL -> new FlowRequest.Detail(params.taskId());
        case UPDATE -> ChangeParams.update(params, caller, findings);
        case DELETE -> new FlowRequest.Delete(params.taskId());
        case LIST -> list();
        case CHILDREN -> new FlowRequest.Children(params.parentId());
        case TREE -> new FlowRequest.Tree(params.taskId());
        case EXECUTE -> execute();
        case CANCEL, RUNNING_CANCEL -> cancel();
        case COPY -> CopyParams.copy(params, false, caller, findings);
        case CLONE -> CopyParams.copy(params, true, caller, findings);
        case COUNT ->
            new FlowRequest.CountTasks(params.statuses(), params.flag("root_only", false));
        case RUNNING_LIST -> new FlowRequest.RunningList(params.page());
        case RUNNING_STATUS -> new FlowRequest.RunningStatus(params.anyTaskIds());
        case RUNNING_COUNT -> new FlowRequest.RunningCount();
        case HEALTH -> new FlowRequest.SystemHealth();
        case EXECUTORS -> new FlowRequest.Executors();
      };
    }

    private FlowRequest list() {
      return new FlowRequest.ListTasks(
          params.status(), params.flag("root_only", params.isOfClient()), params.page());
    }

    private FlowRequest execute() {
      if (params.flag(USE_DEMO, false)) {
        params.add(USE_DEMO, "Not supported", "false or absent, which runs the real tools");
      }
      return new FlowRequest.Execute(
          target(),
          params.flag("cascade", false),
          params.flag("wait", false),
          params.flag("use_streaming", false),
          WebhookParams.webhook(params.members(), gatewayLimits));
    }

    private ExecutionTarget target() {
      boolean isStored = params.members().has("task_id");
      Optional<List<String>> tasks = params.members().array("tasks");
      if (isStored && tasks.isPresent()) {
        params.add("tasks", CheckedMembers.WRONG_VALUE, "either tasks or task_id");
      }
      if (!isStored && !params.members().has("tasks")) {
        params.members().require("tasks", "an array of tasks, or task_id");
      }
      return isStored
          ? new ExecutionTarget.StoredTask(params.taskId())
          : new ExecutionTarget.NewTasks(
              tasks.map(elements -> tasks().array("tasks", elements)).orElse(List.of()));
    }

    private FlowRequest cancel() {
      String error =
          params
              .members()
              .text("error_message", 0, ERROR_CHARS_MAX)
              .filter(text -> !text.isBlank())
              .orElse(CANCELLED_BY_USER);
      return new FlowRequest.Cancel(
          params.isOfClient() ? params.taskIds() : List.of(params.taskId()),
          params.flag("force", false),
          error,
          params.flag("cascade", false));
    }
  }
}
