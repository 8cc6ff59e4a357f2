package gatebook.api.flow.read;

import static gatebook.api.rpc.JsonStrings.quoted;
import static java.util.stream.Collectors.joining;

import gatebook.api.flow.read.TaskFields.DependencyField;
import gatebook.api.flow.task.FlowCaller;
import gatebook.api.flow.task.FlowProfile;
import gatebook.api.flow.task.StoredDefinition;
import gatebook.api.rpc.CheckedMembers;
import gatebook.api.rpc.JsonType;
import gatebook.api.rpc.MemberSplice;
import gatebook.api.rpc.ObjectMembers;
import gatebook.command.tree.TaskDraft;
import gatebook.events.call.JsonValue;
import gatebook.events.fault.Problem;
import gatebook.events.tree.TaskDependency;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Reads the tasks of one request, and resolves what they refer to by name. */
final class TaskListReader {

  /** Members of a task that are parameters of the method that creates one task. */
  private static final Set<String> PARAMS =
      Set.of("name", "user_id", "parent_id", "priority", "inputs", "schemas", "dependencies");

  private static final JsonValue NONE = JsonValue.parse("0");

  private final FlowProfile profile;
  private final TaskFieldsReader fieldsReader;
  private final FlowCaller caller;
  private final RequestFindings findings;

  TaskListReader(
      FlowProfile profile,
      TaskFieldsReader fieldsReader,
      FlowCaller caller,
      RequestFindings findings) {
    this.profile = profile;
    this.fieldsReader = fieldsReader;
    this.caller = caller;
    this.findings = findings;
  }

  /** Reads the task that a request's params are. */
  List<TaskDraft> single(String json) {
    CheckedMembers task = fieldsReader.members(json, "");
    findings.checkUser(task.members().text("user_id"), caller);
    TaskFields fields = fieldsReader.read(json, task);
    List<Problem> params = new ArrayList<>();
    List<Problem> content = new ArrayList<>();
    task.problems()
        .forEach(problem -> (PARAMS.contains(problem.param()) ? params : content).add(problem));
    findings.addParams(params);
    findings.addTask(givenId(task.members()), content);
    return List.of(draft(fields, UnaryOperator.identity()));
  }

  /**
   * Reads the elements of an array.
   *
   * @param name the array's, for problems
   */
  List<TaskDraft> array(String name, List<String> elements) {
    if (elements.isEmpty()) {
      findings.addParams(
          List.of(new Problem(name, "Must not be empty", "at least one task", NONE, List.of())));
    }
    List<TaskFields> all = new ArrayList<>();
    Names names = new Names();
    for (int index = 0; index < elements.size(); index++) {
      String place = "%s[%d]".formatted(name, index);
      String element = elements.get(index);
      if (element.startsWith("{")) {
        all.add(element(element, place, names));
      } else {
        findings.addParams(List.of(notAnObject(place, element)));
      }
    }
    UnaryOperator<String> resolved =
        profile == FlowProfile.CLIENT ? names::resolve : UnaryOperator.identity();
    return all.stream().map(fields -> draft(fields, resolved)).toList();
  }

  private static Problem notAnObject(String place, String json) {
    return new Problem(
        place, CheckedMembers.WRONG_TYPE, "object", JsonType.quotedOf(json), List.of());
  }

  private TaskFields element(String json, String place, Names names) {
    ObjectMembers members = ObjectMembers.of(json);
    findings.checkUser(members.text("user_id"), caller);
    String id = givenId(members);
    CheckedMembers task = fieldsReader.members(json, id == null ? place + "." : "");
    TaskFields fields = fieldsReader.read(json, task);
    names.add(fields, task, profile == FlowProfile.CLIENT);
    findings.addTask(id, task.problems());
    return fields;
  }

  private static @Nullable String givenId(ObjectMembers members) {
    return members.text("id").filter(id -> !id.isEmpty()).orElse(null);
  }

  /** The ids and names of the tasks of one array. */
  private static final class Names {
    private final Set<String> ids = new HashSet<>();
    private final Map<String, String> idsByName = new HashMap<>();

    void add(TaskFields fields, CheckedMembers task, boolean uniqueNames) {
      if (!ids.add(fields.id())) {
        task.add("id", "Another task of the array has this id", "a unique id");
      }
      boolean isTaken = idsByName.putIfAbsent(fields.name(), fields.id()) != null;
      if (isTaken && uniqueNames && !fields.name().isEmpty()) {
        task.add("name", "Another task of the array has this name", "a unique name");
      }
    }

    /** An id stays; a name becomes the id of its task; what is unknown stays, too. */
    String resolve(String reference) {
      return ids.contains(reference) ? reference : idsByName.getOrDefault(reference, reference);
    }
  }

  /** The draft of a task whose references are resolved. */
  static TaskDraft draft(TaskFields fields, UnaryOperator<String> resolved) {
    Map<String, DependencyField> dependencies = new LinkedHashMap<>();
    fields
        .dependencies()
        .forEach(dependency ->
            dependencies.merge(
                resolved.apply(dependency.reference()),
                dependency,
                (first, second) -> first.required() ? first : second));
    return new TaskDraft(
        fields.id(),
        fields.parent() == null ? null : resolved.apply(fields.parent()),
        fields.name(),
        fields.executor(),
        fields.priority(),
        dependencies.entrySet().stream()
            .map(entry -> new TaskDependency(entry.getKey(), entry.getValue().required()))
            .toList(),
        StoredDefinition.of(definition(fields, dependencies)),
        fields.inputs());
  }

  /** The whole task as it was sent, except that it depends on every task once and by its id. */
  private static String definition(TaskFields fields, Map<String, DependencyField> dependencies) {
    boolean isAsSent =
        dependencies.size() == fields.dependencies().size()
            && dependencies.entrySet().stream().allMatch(TaskListReader::isById);
    if (isAsSent) {
      return fields.definition();
    }
    String array =
        dependencies.entrySet().stream()
            .map(entry -> byId(entry.getKey(), entry.getValue()))
            .collect(joining(",", "[", "]"));
    return ObjectMembers.of(fields.definition())
        .replace(fields.definition(), "dependencies", array);
  }

  private static boolean isById(Map.Entry<String, DependencyField> dependency) {
    String json = dependency.getValue().json();
    return json.startsWith("{")
        && ObjectMembers.of(json).text("id").filter(dependency.getKey()::equals).isPresent();
  }

  private static String byId(String id, DependencyField dependency) {
    return dependency.json().startsWith("{")
        ? MemberSplice.with(dependency.json(), List.of("id"), quoted(id))
        : "{\"id\":%s,\"required\":true}".formatted(quoted(id));
  }
}
