package gatebook.api.flow.read;

import static gatebook.api.rpc.RequestMember.optional;
import static gatebook.api.rpc.RequestMember.required;
import static java.util.stream.Collectors.toMap;

import gatebook.api.flow.task.FlowProfile;
import gatebook.api.flow.task.FlowRequest.CopyOrigin;
import gatebook.api.flow.task.FlowRequest.TaskPage;
import gatebook.api.flow.webhook.WebhookParams;
import gatebook.api.rpc.CheckedMembers;
import gatebook.api.rpc.DeclaredParams;
import gatebook.api.rpc.JsonStrings;
import gatebook.api.rpc.MemberType;
import gatebook.api.rpc.MemberType.Any;
import gatebook.api.rpc.MemberType.Array;
import gatebook.api.rpc.MemberType.Decimal;
import gatebook.api.rpc.MemberType.Either;
import gatebook.api.rpc.MemberType.Flag;
import gatebook.api.rpc.MemberType.Members;
import gatebook.api.rpc.MemberType.Some;
import gatebook.api.rpc.MemberType.Text;
import gatebook.api.rpc.MemberType.Whole;
import gatebook.api.rpc.MemberType.Word;
import gatebook.api.rpc.RequestMember;
import gatebook.command.redact.Scrubber;
import gatebook.command.rules.GatewayLimits;
import gatebook.events.tree.TreeStatus;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The declared params of the methods of the task-flow protocol, in one profile. */
public final class FlowParams {
  static final Map<String, TreeStatus> STATUSES =
      Stream.of(TreeStatus.values()).collect(toMap(TreeStatus::word, Function.identity()));
  static final Map<String, CopyOrigin> ORIGINS =
      Stream.of(CopyOrigin.values()).collect(toMap(CopyOrigin::word, Function.identity()));

  /** The reason for a cancellation without one. */
  public static final String CANCELLED_BY_USER = "Cancelled by user";

  private static final int ID_CHARS_MAX = 255;
  private static final int IDS_MAX = 1_000;
  private static final Pattern UUID_V4 =
      Pattern.compile(
          "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}",
          Pattern.CASE_INSENSITIVE);

  private static final MemberType FLAG = new Flag();
  private static final MemberType STATUS_WORD = Word.of(STATUSES);

  static final RequestMember USER_ID =
      optional("user_id", Text.ANY, "The user, who can only be the caller.");
  static final RequestMember OFFSET =
      optional("offset", Whole.between(0, Integer.MAX_VALUE), "How many tasks are left out.")
          .byDefault(0);
  static final RequestMember STATUS =
      optional("status", STATUS_WORD, "The status of the tasks; any by default.");
  static final RequestMember STATUSES_LISTED =
      optional(
          "statuses",
          Array.of(STATUS_WORD, "an array of words, each " + STATUS_WORD.expected()),
          "The statuses of the tasks; all by default.");

  static final RequestMember UPDATES = required("updates", Members.ANY, "The changed fields.");
  static final RequestMember NEW_STATUS = optional("status", STATUS_WORD, "The new status.");
  static final RequestMember NEW_ERROR =
      optional("error", Text.between(1, 65_536), "Why the task failed.");
  static final RequestMember NEW_RESULT = optional("result", Members.ANY, "The new result.");
  static final RequestMember NEW_PROGRESS =
      optional("progress", Decimal.between(BigDecimal.ZERO, BigDecimal.ONE), "The new progress.");

  /** What a client may say of a task's state; the times are ignored. */
  static final List<RequestMember> STATE =
      List.of(
          time("created_at"),
          time("started_at"),
          time("updated_at"),
          time("completed_at"),
          NEW_STATUS,
          NEW_ERROR,
          NEW_RESULT,
          NEW_PROGRESS);

  /** With it, existing clients want made-up results, and no tool to be called. */
  static final RequestMember USE_DEMO = flag("use_demo", "It cannot be true.", false);

  static final RequestMember TASKS =
      optional(
          "tasks",
          Array.of(new Any(), "an array of tasks"),
          "New tasks, each as tasks.create takes it; either these or task_id must be there.");
  static final RequestMember WAIT = flag("wait", "Whether the response waits for the end.", false);
  static final RequestMember USE_STREAMING =
      flag("use_streaming", "Whether the response is a stream of progress.", false);
  static final RequestMember RERUNS =
      flag("cascade", "Whether ended tasks that depend on these are executed again.", false);

  static final RequestMember FORCE = flag("force", "It is repeated in the response.", false);
  static final RequestMember CANCELS_BELOW =
      flag("cascade", "Whether what is below is cancelled, too.", false);

  /** An event has room for it. */
  static final RequestMember ERROR_MESSAGE =
      optional("error_message", Text.between(0, 4_096), "The reason.")
          .byDefault(JsonStrings.quoted(CANCELLED_BY_USER));

  static final RequestMember ORIGIN_TYPE =
      optional("origin_type", Word.of(ORIGINS), "What the copies are.")
          .byDefault(JsonStrings.quoted(CopyOrigin.COPY.word()));
  static final RequestMember RECURSIVE =
      optional("recursive", FLAG, "The same as copy_children, which it overrules.");
  static final RequestMember RESET_FIELDS =
      optional("reset_fields", Members.ANY, "The fields that are changed in the copies.");
  static final RequestMember SAVE = flag("save", "Whether the copies are stored.", true);

  private static final FlowParams PROTOCOL = new FlowParams(FlowProfile.PROTOCOL);
  private static final FlowParams CLIENT = new FlowParams(FlowProfile.CLIENT);

  final boolean isOfClient;
  final RequestMember taskId;
  final RequestMember storedTask;
  final RequestMember parentId;
  final RequestMember taskIds;
  final RequestMember linkIds;
  final RequestMember limit;
  final TaskMembers task;

  private FlowParams(FlowProfile profile) {
    this.isOfClient = profile == FlowProfile.CLIENT;
    MemberType id = isOfClient ? anyId() : uuid();
    this.storedTask = optional("task_id", id, "The task.");
    this.taskId = isOfClient ? storedTask.or("id") : storedTask;
    RequestMember parent = required("parent_id", id, "The task whose children are listed.");
    this.parentId = isOfClient ? parent.or("task_id") : parent;
    MemberType ids = ids();
    this.taskIds = optional("task_ids", ids, "The tasks.").or("context_ids");
    this.linkIds =
        optional("link_task_ids", ids, "The tasks that are linked if the origin is mixed.");
    this.limit =
        optional(
                "limit",
                Whole.between(1, isOfClient ? Integer.MAX_VALUE : TaskPage.LIMIT_MAX),
                "The most tasks that are listed, of which there are never more than "
                    + TaskPage.LIMIT_MAX
                    + ".")
            .byDefault(TaskPage.LIMIT_DEFAULT);
    this.task = new TaskMembers(profile, id);
  }

  private static RequestMember flag(String name, String meaning, boolean byDefault) {
    return optional(name, FLAG, meaning).byDefault(byDefault);
  }

  private static RequestMember time(String name) {
    return optional(name, ScheduleTimes.TYPE, "It is ignored.");
  }

  private static MemberType uuid() {
    return Some.texts(Text.ANY, "Invalid UUID format", "UUID v4 format", FlowParams::isUuid);
  }

  static boolean isUuid(String text) {
    return UUID_V4.matcher(text).matches();
  }

  /** Ids are recorded as they are, so none may be a secret. */
  private static MemberType anyId() {
    return Some.texts(
        Text.between(1, ID_CHARS_MAX),
        "The id has a secret in it",
        "an id without a secret in it",
        text -> !Scrubber.NAMES.findsSecret(text));
  }

  /** Ids as a list or as one text, where they are only compared with those of stored tasks. */
  private MemberType ids() {
    String atMost = "at most %d ids".formatted(IDS_MAX);
    MemberType one =
        isOfClient
            ? Text.between(1, ID_CHARS_MAX)
            : Some.texts(
                Text.ANY, CheckedMembers.WRONG_VALUE, "the id of a task", FlowParams::isUuid);
    return new Either(
        List.of(
            new Array(one, 0, IDS_MAX, false, atMost),
            Some.texts(
                Text.ANY,
                CheckedMembers.OUT_OF_RANGE,
                atMost,
                text -> split(text).size() <= IDS_MAX)),
        "an array of %s, or a string with commas between them".formatted(atMost));
  }

  /** The ids in a text with commas. */
  private static List<String> split(String text) {
    return Stream.of(text.split(",")).map(String::strip).filter(it -> !it.isEmpty()).toList();
  }

  /** The ids that a member lists in any of both ways. */
  static List<String> ids(CheckedMembers params, RequestMember member) {
    return params.text(member).map(FlowParams::split).orElseGet(() -> params.texts(member));
  }

  static FlowParams of(FlowProfile profile) {
    return switch (profile) {
      case PROTOCOL -> PROTOCOL;
      case CLIENT -> CLIENT;
    };
  }

  /** The declared params of a method, which are those of one task where it creates tasks. */
  public static DeclaredParams of(
      FlowMethod method, FlowProfile profile, GatewayLimits gatewayLimits) {
    FlowParams declared = of(profile);
    return method == FlowMethod.CREATE
        ? new DeclaredParams(declared.task.all)
        : new DeclaredParams(
            Stream.concat(declared.members(method, gatewayLimits), Stream.of(USER_ID)).toList());
  }

  private Stream<RequestMember> members(FlowMethod method, GatewayLimits gatewayLimits) {
    RequestMember task = taskId.mandatory();
    return switch (method) {
      case GET, DETAIL, DELETE, TREE -> Stream.of(task);
      case UPDATE ->
          Stream.concat(Stream.of(task), isOfClient ? STATE.stream() : Stream.of(UPDATES));
      case LIST -> Stream.of(STATUS, rootOnly(isOfClient), limit, OFFSET);
      case CHILDREN -> Stream.of(parentId);
      case EXECUTE ->
          Stream.of(
              storedTask,
              TASKS,
              USE_DEMO,
              RERUNS,
              WAIT,
              USE_STREAMING,
              WebhookParams.declared(gatewayLimits));
      case CANCEL, RUNNING_CANCEL ->
          Stream.concat(
              isOfClient ? Stream.of(taskIds, taskId) : Stream.of(task),
              Stream.of(FORCE, ERROR_MESSAGE, CANCELS_BELOW));
      case COPY, CLONE ->
          Stream.of(
              task, ORIGIN_TYPE, linkIds, copyChildren(method), RECURSIVE, RESET_FIELDS, SAVE);
      case COUNT -> Stream.of(STATUSES_LISTED, rootOnly(false));
      case RUNNING_LIST -> Stream.of(limit, OFFSET);
      case RUNNING_STATUS -> Stream.of(taskIds, storedTask.or("id"));
      case CREATE, RUNNING_COUNT, HEALTH, EXECUTORS -> Stream.of();
    };
  }

  static RequestMember rootOnly(boolean byDefault) {
    return flag("root_only", "Whether only the roots of trees are meant.", byDefault);
  }

  static RequestMember copyChildren(FlowMethod method) {
    return flag(
        "copy_children", "Whether what is below is copied, too.", method == FlowMethod.CLONE);
  }
}
