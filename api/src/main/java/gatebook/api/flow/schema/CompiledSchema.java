package gatebook.api.flow.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaException;
import gatebook.events.fault.Problem;
import java.util.List;
import java.util.Optional;

/** A schema that inputs can be checked with, by several threads at once. */
public final class CompiledSchema {
  private static final int INPUTS_DEPTH_MAX = 512;

  private final Schema schema;

  CompiledSchema(Schema schema) {
    this.schema = schema;
  }

  /** Whether inputs may have a member of this name that is an object. */
  public boolean knowsObject(String member) {
    JsonNode property = schema.getSchemaNode().path("properties").path(member);
    JsonNode type = property.path("type");
    boolean isOfAnyType = type.isMissingNode() || names(type).contains("object");
    return property.asBoolean() || (property.isObject() && isOfAnyType);
  }

  private static List<String> names(JsonNode type) {
    return type.isArray()
        ? type.valueStream().map(JsonNode::asText).toList()
        : List.of(type.asText());
  }

  /** What is wrong with inputs; their values are not part of it. */
  public List<Problem> check(String inputs, SchemaSteps steps) {
    Optional<JsonNode> tree = SchemaText.tree(inputs, INPUTS_DEPTH_MAX);
    if (tree.isEmpty()) {
      return List.of(problem(SchemaCompiler.NOT_COMPUTABLE));
    }
    try {
      return steps.count(() -> problems(tree.get(), steps));
    } catch (SchemaSteps.TooManySteps | StackOverflowError _) {
      return List.of(problem(SchemaCompiler.TOO_MANY_STEPS));
    } catch (SchemaException _) {
      return List.of(problem("The schema refers to a part that it does not have"));
    }
  }

  private static Problem problem(String reason) {
    return new Problem("inputs", reason, null, null, List.of());
  }

  private List<Problem> problems(JsonNode tree, SchemaSteps steps) {
    CountedExecution execution = new CountedExecution(steps, tree);
    schema.validate(execution, tree);
    return InputProblems.of(execution.getErrors());
  }
}
