package gatebook.api.flow.task;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.flow.task.TaskInputs.Checked;
import gatebook.api.flow.task.TaskInputs.Checked.Accepted;
import gatebook.api.flow.task.TaskInputs.Checked.Rejected;
import gatebook.command.rules.GatewayLimits;
import gatebook.events.call.JsonValue;
import gatebook.events.fault.Problem;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The inputs that a tool gets, and those it does not. */
final class TaskInputsTest {
  private static final String KNOWS = "{'properties':{'dependencies':{'type':'object'}}}";
  private static final String LIST = "{'properties':{'dependencies':{'type':'array'}}}";
  private static final String CLOSED =
      "{'properties':{'n':{'type':'integer'}},'additionalProperties':false}";

  private final TaskSchemas taskSchemas = new TaskSchemas(() -> GatewayLimits.DEFAULT);

  @Test
  void aToolThatKnowsDependenciesGetsTheResults() {
    assertThat(check("{'n':1}", null, KNOWS))
        .isEqualTo(accepted("{'n':1,'dependencies':{'a':{'x':2}}}"));
  }

  @Test
  void aToolThatDoesNotKnowThemGetsTheInputs() {
    assertThat(check("{'n':1}", null, CLOSED)).isEqualTo(accepted("{'n':1}"));
    assertThat(check("{'n':1}", null, LIST)).isEqualTo(accepted("{'n':1}"));
    assertThat(check("{'n':1}", KNOWS, CLOSED)).isEqualTo(accepted("{'n':1}"));
  }

  @Test
  void inputsOfThisNameAreNeverReplaced() {
    assertThat(check("{'dependencies':{'b':1}}", null, KNOWS))
        .isEqualTo(accepted("{'dependencies':{'b':1}}"));
  }

  @Test
  void aTaskWithoutDependenciesHasNoResults() {
    TaskInputs inputs = TaskInputs.of(definition("{'n':1}"), false, Map.of());

    assertThat(check(inputs, null, KNOWS)).isEqualTo(accepted("{'n':1}"));
  }

  @Test
  void theTasksSchemaSaysItWhereTheToolsIsUnknown() {
    assertThat(check("{}", KNOWS, null)).isEqualTo(accepted("{'dependencies':{'a':{'x':2}}}"));
    assertThat(check("{}", null, null)).isEqualTo(accepted("{}"));
  }

  @Test
  void bothSchemasAreChecked() {
    assertThat(check("{'n':'s3cret','m':1}", "{'required':['to']}", CLOSED))
        .isEqualTo(
            new Rejected(
                "Invalid inputs: inputs.to: Missing required field;"
                    + " inputs.n: Wrong type, expected integer; inputs.m: Unknown field",
                List.of(
                    missing("inputs.to"),
                    new Problem(
                        "inputs.n",
                        "Wrong type",
                        "integer",
                        JsonValue.parse("\"string\""),
                        List.of()),
                    new Problem("inputs.m", "Unknown field", null, null, List.of()))));
  }

  @Test
  void resultsAreCheckedToo() {
    assertThat(
            check(
                "{}",
                null,
                "{'properties':{'dependencies':{'additionalProperties':{'required':['y']}}}}"))
        .isEqualTo(
            new Rejected(
                "Invalid inputs: inputs.dependencies.a.y: Missing required field",
                List.of(missing("inputs.dependencies.a.y"))));
  }

  @Test
  void anUnusableToolSchemaIsLeftToTheTool() {
    assertThat(check("{'n':1}", null, "{'$ref':'http://127.0.0.1:9/a'}"))
        .isEqualTo(accepted("{'n':1}"));
    assertThat(check("{'n':1}", null, "{'type':'objekt'}")).isEqualTo(accepted("{'n':1}"));
  }

  @Test
  void aTasksSchemaThatCannotBeUsedFailsTheTask() {
    assertThat(check("{'n':1}", "{'$ref':'http://127.0.0.1:9/a'}", null))
        .isEqualTo(
            new Rejected(
                "The input_schema of the task cannot be used:"
                    + " Refers to something outside the schema",
                List.of(
                    new Problem(
                        "schemas.input_schema",
                        "Refers to something outside the schema",
                        null,
                        null,
                        List.of()))));
  }

  @Test
  void fiveProblemsAreWrittenOut() {
    assertThat(check("{}", "{'required':['a','b','c','d','e','f','g']}", null))
        .isEqualTo(
            new Rejected(
                "Invalid inputs: inputs.a: Missing required field;"
                    + " inputs.b: Missing required field; inputs.c: Missing required field;"
                    + " inputs.d: Missing required field; inputs.e: Missing required field;"
                    + " and 2 more",
                Stream.of("a", "b", "c", "d", "e", "f", "g")
                    .map(name -> missing("inputs." + name))
                    .toList()));
  }

  private static Problem missing(String field) {
    return new Problem(field, "Missing required field", null, null, List.of());
  }

  private Checked check(String inputs, @Nullable String taskSchema, @Nullable String toolSchema) {
    return check(
        TaskInputs.of(definition(inputs), true, Map.of("a", json("{'x':2}"))),
        taskSchema,
        toolSchema);
  }

  private Checked check(
      TaskInputs inputs, @Nullable String taskSchema, @Nullable String toolSchema) {
    return inputs.check(
        Optional.ofNullable(taskSchema).map(TaskInputsTest::json),
        Optional.ofNullable(toolSchema).map(TaskInputsTest::json),
        taskSchemas.checks());
  }

  private static TaskDefinition definition(String inputs) {
    return TaskDefinition.of(json("{'inputs':%s}".formatted(inputs)));
  }

  private static Accepted accepted(String arguments) {
    return new Accepted(json(arguments));
  }

  private static String json(String text) {
    return text.replace('\'', '"');
  }
}
