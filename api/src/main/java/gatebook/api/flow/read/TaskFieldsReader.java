package gatebook.api.flow.read;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.flow.read.TaskFields.DependencyField;
import gatebook.api.flow.task.ExecutorFields;
import gatebook.api.flow.task.FlowProfile;
import gatebook.api.flow.task.TaskDefinition;
import gatebook.api.flow.task.TaskSchemas;
import gatebook.api.rpc.CheckedMembers;
import gatebook.api.rpc.JsonStrings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Reads one task, and checks its content as far as it can be checked without other tasks. */
final class TaskFieldsReader {
  private final FlowProfile profile;
  private final TaskMembers declared;
  private final TaskSizes sizes;
  private final TaskSchemas.Checks checks;

  /**
   * @param checks of the request's schemas and inputs
   */
  TaskFieldsReader(FlowProfile profile, TaskSizes sizes, TaskSchemas.Checks checks) {
    this.profile = profile;
    this.declared = FlowParams.of(profile).task;
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
    Optional<String> inputs = inputs(json, task);
    Optional<String> executor = ExecutorFields.executor(task, profile);
    List<DependencyField> dependencies = dependencies(task);
    OriginFields.check(task, declared.originalTaskId);
    ScheduleFields.check(task);
    checkSchema(task, inputs.orElse("{}"), !dependencies.isEmpty());
    return new TaskFields(
        task.text(declared.id).orElseGet(() -> UUID.randomUUID().toString()),
        task.text(declared.parentId).orElse(null),
        task.text(TaskMembers.NAME).orElse(""),
        executor.orElse(null),
        task.whole(TaskMembers.PRIORITY).orElseThrow(),
        dependencies,
        json,
        inputs.orElse(null));
  }

  /** The members of a task, of which only those that do not depend on others are checked yet. */
  CheckedMembers members(String json, String path) {
    return CheckedMembers.of(json, path, declared.all);
  }

  private Optional<String> inputs(String json, CheckedMembers task) {
    Optional<String> inputs = task.json(TaskMembers.INPUTS);
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
      int dependencies = task.json(declared.dependencies).map(TaskFieldsReader::bytes).orElse(0);
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
    List<String> elements = task.elements(declared.dependencies);
    List<DependencyField> dependencies = new ArrayList<>();
    for (int index = 0; index < elements.size(); index++) {
      String json = elements.get(index);
      CheckedMembers dependency = task.element(declared.dependencies, index);
      boolean required = dependency.flag(TaskMembers.REQUIRED);
      Optional<String> reference =
          json.startsWith("{") ? reference(dependency) : JsonStrings.text(json);
      reference.ifPresent(id -> dependencies.add(new DependencyField(id, required, json)));
    }
    return dependencies;
  }

  private Optional<String> reference(CheckedMembers dependency) {
    if (profile == FlowProfile.CLIENT && !dependency.has(TaskMembers.OTHER_NAME)) {
      dependency.require(declared.otherId);
    }
    return dependency.text(declared.otherId).or(() -> dependency.text(TaskMembers.OTHER_NAME));
  }
}
