package gatebook.api.flow.read;

import static java.util.stream.Collectors.toMap;

import gatebook.api.flow.task.FlowProfile;
import gatebook.api.flow.task.FlowRequest.TaskPage;
import gatebook.api.rpc.ArrayElements;
import gatebook.api.rpc.CheckedMembers;
import gatebook.api.rpc.JsonStrings;
import gatebook.events.fault.Problem;
import gatebook.events.tree.TreeStatus;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The params of one request, read in the shapes of its profile. */
final class RequestParams {
  static final Map<String, TreeStatus> STATUSES =
      Stream.of(TreeStatus.values()).collect(toMap(TreeStatus::word, Function.identity()));

  private static final int IDS_MAX = 1_000;
  private static final String NONE = "";

  private final FlowProfile profile;
  private final CheckedMembers members;
  private final TaskFieldsReader ids;
  private final List<Problem> problems = new ArrayList<>();

  /**
   * @param ids reads ids in the form of the profile
   */
  RequestParams(FlowProfile profile, @Nullable String params, TaskFieldsReader ids) {
    this.profile = profile;
    this.members = CheckedMembers.of(params, "");
    this.ids = ids;
  }

  CheckedMembers members() {
    return members;
  }

  boolean isOfClient() {
    return profile == FlowProfile.CLIENT;
  }

  List<Problem> problems() {
    return Stream.concat(members.problems().stream(), problems.stream()).toList();
  }

  /** Adds what concerns the params as a whole. */
  void add(String name, String reason, @Nullable String expected) {
    problems.add(new Problem(name, reason, expected, null, List.of()));
  }

  /** The id of a task that must be there. */
  String taskId() {
    return id("task_id", "id");
  }

  String parentId() {
    return id("parent_id", "task_id");
  }

  private String id(String name, String alias) {
    String used = isOfClient() && !members.has(name) && members.has(alias) ? alias : name;
    members.require(used, "string");
    return ids.id(members, used).orElse(NONE);
  }

  /** The ids of tasks: a list, a text with commas, or one id. */
  List<String> taskIds() {
    String name =
        members.has("context_ids") && !members.has("task_ids") ? "context_ids" : "task_ids";
    return !members.has(name) ? List.of(taskId()) : listedIds(name);
  }

  /** The same where none is needed. */
  List<String> anyTaskIds() {
    boolean isNamed = Stream.of("task_ids", "context_ids", "task_id", "id").anyMatch(members::has);
    return isNamed ? taskIds() : List.of();
  }

  private List<String> listedIds(String name) {
    String json = members.json(name).orElseThrow();
    List<String> listed =
        JsonStrings.text(json)
            .map(RequestParams::split)
            .or(() -> ArrayElements.of(json).map(elements -> texts(name, elements)))
            .orElseGet(() -> {
              members.addWrongType(name, "array", json);
              return List.of();
            });
    if (listed.size() > IDS_MAX) {
      add(name, CheckedMembers.OUT_OF_RANGE, "at most %d ids".formatted(IDS_MAX));
    }
    return listed;
  }

  private static List<String> split(String text) {
    return Stream.of(text.split(",")).map(String::strip).filter(id -> !id.isEmpty()).toList();
  }

  private List<String> texts(String name, List<String> elements) {
    List<String> texts = new ArrayList<>();
    for (int index = 0; index < elements.size(); index++) {
      Optional<String> text = JsonStrings.text(elements.get(index));
      boolean isId =
          text.filter(id -> isOfClient() ? isShort(id) : CheckedMembers.isUuid(id)).isPresent();
      if (isId) {
        texts.add(text.get());
      } else {
        add("%s[%d]".formatted(name, index), CheckedMembers.WRONG_VALUE, "the id of a task");
      }
    }
    return texts;
  }

  private static boolean isShort(String id) {
    return !id.isEmpty() && id.length() <= TaskFieldsReader.ID_CHARS_MAX;
  }

  /** A list of ids that may be absent. */
  List<String> optionalIds(String name) {
    return members.has(name) ? listedIds(name) : List.of();
  }

  boolean flag(String name, boolean whenAbsent) {
    return members.flag(name).orElse(whenAbsent);
  }

  /** Existing clients have no longest page, so theirs is cut. */
  TaskPage page() {
    int limitMax = isOfClient() ? Integer.MAX_VALUE : TaskPage.LIMIT_MAX;
    int limit = members.whole("limit", 1, limitMax).orElse(TaskPage.LIMIT_DEFAULT);
    int offset = members.whole("offset", 0, Integer.MAX_VALUE).orElse(0);
    return new TaskPage(Math.min(limit, TaskPage.LIMIT_MAX), offset);
  }

  /** The one status of a list's filter; none when all are wanted. */
  Set<TreeStatus> status() {
    return members.word("status", STATUSES).map(Set::of).orElse(Set.of());
  }

  Set<TreeStatus> statuses() {
    Set<TreeStatus> statuses = new HashSet<>();
    List<String> elements = members.array("statuses").orElse(List.of());
    for (int index = 0; index < elements.size(); index++) {
      TreeStatus status = JsonStrings.text(elements.get(index)).map(STATUSES::get).orElse(null);
      if (status == null) {
        problems.add(
            new Problem(
                "statuses[%d]".formatted(index),
                CheckedMembers.UNKNOWN_VALUE,
                null,
                null,
                STATUSES.keySet().stream().sorted().toList()));
      } else {
        statuses.add(status);
      }
    }
    return statuses;
  }
}
