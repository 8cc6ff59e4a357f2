package gatebook.api.flow.task;

import static gatebook.api.rpc.JsonStrings.quoted;
import static java.util.stream.Collectors.joining;

import gatebook.api.flow.schema.CompiledSchema;
import gatebook.api.flow.schema.SchemaDraft;
import gatebook.api.flow.schema.SchemaReading;
import gatebook.api.flow.task.TaskSchemas.Checks;
import gatebook.api.rpc.ObjectMembers;
import gatebook.events.fault.Problem;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The inputs of one task that is about to run, and the results of what it depends on: a schema sees
 * them if it knows a member for them that the inputs do not have.
 */
public final class TaskInputs {
  public static final String DEPENDENCIES = "dependencies";

  private static final int SENTENCES_MAX = 5;

  private final String inputs;
  private final Optional<String> withResults;

  private TaskInputs(String inputs, Optional<String> withResults) {
    this.inputs = inputs;
    this.withResults = withResults;
  }

  /**
   * The inputs of a task.
   *
   * @param results those of the completed tasks it depends on, by id
   */
  public static TaskInputs of(
      TaskDefinition definition, boolean dependsOnOthers, Map<String, String> results) {
    String inputs = definition.inputs().orElse("{}");
    boolean isFree = ObjectMembers.of(inputs).json(DEPENDENCIES).isEmpty();
    return new TaskInputs(
        inputs,
        dependsOnOthers && isFree
            ? Optional.of(MergedObject.of(inputs, Map.of(DEPENDENCIES, object(results))))
            : Optional.empty());
  }

  /** Whether a schema sees the results of what the task depends on. */
  public static boolean wantsResults(
      Optional<String> inputs,
      Optional<String> taskSchema,
      Optional<String> toolSchema,
      Checks checks) {
    return ObjectMembers.of(inputs.orElse("{}")).json(DEPENDENCIES).isEmpty()
        && Stream.of(
                taskSchema.map(it -> checks.read(it, SchemaDraft.DRAFT_7)),
                toolSchema.map(it -> checks.read(it, SchemaDraft.DRAFT_2020_12)))
            .flatMap(Optional::stream)
            .flatMap(reading -> usable(reading).stream())
            .anyMatch(schema -> schema.knowsObject(DEPENDENCIES));
  }

  /** The JSON of the inputs as their owner gave them. */
  public String given() {
    return inputs;
  }

  private static String object(Map<String, String> results) {
    return results.entrySet().stream()
        .map(result -> quoted(result.getKey()) + ":" + result.getValue())
        .collect(joining(",", "{", "}"));
  }

  /** A result of checking inputs. */
  public sealed interface Checked {

    /** A tool can be called with these arguments. */
    record Accepted(String arguments) implements Checked {}

    /**
     * No tool is called.
     *
     * @param sentence the same in one sentence
     */
    record Rejected(String sentence, List<Problem> problems) implements Checked {
      public Rejected {
        problems = List.copyOf(problems);
      }
    }
  }

  /**
   * Checks the inputs by the schema of the task and by that of its tool. A schema of a tool that
   * cannot be used is left to the tool.
   */
  public Checked check(Optional<String> taskSchema, Optional<String> toolSchema, Checks checks) {
    Optional<SchemaReading> ofTask = taskSchema.map(it -> checks.read(it, SchemaDraft.DRAFT_7));
    Optional<SchemaReading> ofTool =
        toolSchema.map(it -> checks.read(it, SchemaDraft.DRAFT_2020_12));
    if (ofTask.isPresent() && ofTask.get() instanceof SchemaReading.Unusable(var reasons)) {
      return new Checked.Rejected(
          "The input_schema of the task cannot be used: " + reasons.getFirst(),
          reasons.stream().map(Checks::ofSchema).toList());
    }
    Optional<CompiledSchema> own = ofTask.flatMap(TaskInputs::usable);
    Optional<CompiledSchema> tools = ofTool.flatMap(TaskInputs::usable);
    List<Problem> problems =
        Stream.of(own, tools)
            .flatMap(Optional::stream)
            .flatMap(schema -> checks.check(schema, seenBy(schema)).stream())
            .distinct()
            .toList();
    return problems.isEmpty()
        ? new Checked.Accepted(tools.or(() -> own).map(this::seenBy).orElse(inputs))
        : new Checked.Rejected(sentence(problems), problems);
  }

  private static Optional<CompiledSchema> usable(SchemaReading reading) {
    return reading instanceof SchemaReading.Usable(var schema)
        ? Optional.of(schema)
        : Optional.empty();
  }

  private String seenBy(CompiledSchema schema) {
    return withResults.filter(_ -> schema.knowsObject(DEPENDENCIES)).orElse(inputs);
  }

  private static String sentence(List<Problem> problems) {
    String rest =
        problems.size() > SENTENCES_MAX
            ? "; and %d more".formatted(problems.size() - SENTENCES_MAX)
            : "";
    return problems.stream()
        .limit(SENTENCES_MAX)
        .map(TaskInputs::sentence)
        .collect(joining("; ", "Invalid inputs: ", rest));
  }

  private static String sentence(Problem problem) {
    return problem.expected() == null
        ? "%s: %s".formatted(problem.param(), problem.reason())
        : "%s: %s, expected %s".formatted(problem.param(), problem.reason(), problem.expected());
  }
}
