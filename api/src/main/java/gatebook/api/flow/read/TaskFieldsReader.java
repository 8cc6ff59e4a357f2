package gatebook.api.flow.read;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.flow.read.TaskFields.DependencyField;
import gatebook.api.flow.task.ExecutorFields;
import gatebook.api.flow.task.FlowProfile;
import gatebook.api.flow.task.TaskDefinition;
import gatebook.api.flow.task.TaskSchemas;
import gatebook.api.rpc.CheckedMembers;
import gatebook.api.rpc.JsonStrings;
import gatebook.command.redact.Scrubber;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Reads one task, and checks its content as far as it can be checked without other tasks. */
final class TaskFieldsReader {
  static final int ID_CHARS_MAX = 255;
  private static final int NAME_CHARS_MAX = 255;
  private static final int PRIORITY_MAX = 3;
  private static final int PRIORITY_DEFAULT = 2;

  private final FlowProfile profile;
  private final TaskSizes sizes;
  private final TaskSchemas.Checks checks;

  /**
   * @param checks of the request's schemas and inputs
   */
  TaskFieldsReader(FlowProfile profile, TaskSizes sizes, TaskSchemas.Checks checks) {
    this.profile = profile;
    this.sizes = sizes;
    this.checks = checks;
  }

  /**
   * Reads a task; its problems are in its members afterwards.
   *
   * @param json the task
   * @param task its members
   */
  TaskFields read(String json, CheckedMembers task) {
    task.require("name", "string");
    String name = task.text("name", NAME_CHARS_MAX).orElse("");
    Optional<String> id = id(task, "id");
    Optional<String> parent = id(task, "parent_id");
    task.text("user_id", ID_CHARS_MAX);
    int priority = task.whole("priority", 0, PRIORITY_MAX).orElse(PRIORITY_DEFAULT);
    Optional<String> inputs = inputs(json, task);
    Optional<String> executor = ExecutorFields.executor(task, profile);
    List<DependencyField> dependencies = dependencies(task);
    InitialValues.check(task);
    OriginFields.check(task, this);
    ScheduleFields.check(task);
    checkSchema(task, inputs.orElse("{}"), !dependencies.isEmpty());
    return new TaskFields(
        id.orElseGet(() -> UUID.randomUUID().toString()),
        parent.orElse(null),
        name,
        executor.orElse(null),
        priority,
        dependencies,
        json,
        inputs.orElse(null));
  }

  /** An id in the form of the profile. */
  Optional<String> id(CheckedMembers members, String name) {
    return switch (profile) {
      case PROTOCOL -> members.uuid(name);
      case CLIENT -> members.text(name, ID_CHARS_MAX).filter(id -> isFit(id, name, members));
    };
  }

  /** Ids are recorded as they are, so none may be a secret. */
  private static boolean isFit(String id, String name, CheckedMembers members) {
    boolean fits = !Scrubber.NAMES.findsSecret(id);
    if (!fits) {
      members.add(name, "The id has a secret in it", "an id without a secret in it", null);
    }
    return fits;
  }

  private Optional<String> inputs(String json, CheckedMembers task) {
    Optional<String> inputs = task.object("inputs");
    inputs.ifPresent(text -> checkSize(task, "inputs", sizes.inputsBytesMax(), text));
    checkSize(task, json);
    return inputs;
  }

  private void checkSchema(CheckedMembers task, String inputs, boolean dependsOnOthers) {
    TaskDefinition.inputSchema(task.members())
        .map(schema -> checks.ofTask(schema, inputs, dependsOnOthers))
        .ifPresent(task::addAll);
  }

  private void checkSize(CheckedMembers task, String json) {
    if (mayBeLarger(json, sizes.definitionBytesMax())) {
      int dependencies = task.json("dependencies").map(TaskFieldsReader::bytes).orElse(0);
      checkSize(task, "task", sizes.definitionBytesMax(), bytes(json) - dependencies);
    }
  }

  private static void checkSize(CheckedMembers task, String name, int bytesMax, String json) {
    if (mayBeLarger(json, bytesMax)) {
      checkSize(task, name, bytesMax, bytes(json));
    }
  }

  private static void checkSize(CheckedMembers task, String name, int bytesMax, int bytes) {
    if (bytes > bytesMax) {
      task.addTooLarge(name, bytesMax, bytes);
    }
  }

  /** A character has at least one byte, and at most three. */
  private static boolean mayBeLarger(String json, int bytesMax) {
    return json.length() > bytesMax / 3;
  }

  private static int bytes(String json) {
    return json.getBytes(UTF_8).length;
  }

  private List<DependencyField> dependencies(CheckedMembers task) {
    List<String> elements = task.array("dependencies").orElse(List.of());
    List<DependencyField> dependencies = new ArrayList<>();
    for (int index = 0; index < elements.size(); index++) {
      dependency(task, index, elements.get(index)).ifPresent(dependencies::add);
    }
    return dependencies;
  }

  private Optional<DependencyField> dependency(CheckedMembers task, int index, String json) {
    if (json.startsWith("{")) {
      CheckedMembers dependency = task.element("dependencies", index, json);
      boolean required = dependency.flag("required").orElse(true);
      return reference(dependency).map(id -> new DependencyField(id, required, json));
    }
    Optional<String> bare =
        profile == FlowProfile.CLIENT
            ? JsonStrings.text(json).filter(text -> !text.isEmpty())
            : Optional.empty();
    if (bare.isEmpty()) {
      task.addWrongType("dependencies[%d]".formatted(index), "object", json);
    }
    return bare.map(id -> new DependencyField(id, true, json));
  }

  private Optional<String> reference(CheckedMembers dependency) {
    if (profile == FlowProfile.CLIENT && !dependency.has("id") && dependency.has("name")) {
      return dependency.text("name", NAME_CHARS_MAX);
    }
    dependency.require("id", "string");
    return id(dependency, "id");
  }
}
