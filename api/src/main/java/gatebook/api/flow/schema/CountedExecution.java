package gatebook.api.flow.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.Error;
import com.networknt.schema.ExecutionConfig;
import com.networknt.schema.ExecutionContext;
import com.networknt.schema.Schema;
import java.util.Locale;
import java.util.Set;

/**
 * One execution of a schema, with counted steps: the library appends to the evaluation path before
 * it applies a keyword or enters a subschema. Formats are not asserted.
 */
final class CountedExecution extends ExecutionContext {

  /** Keywords within keywords, through references: each takes room on the stack of the thread. */
  private static final int DEPTH_MAX = 1_000;

  private static final long ERROR_STEPS = 10;

  /** Keywords that look at all elements or members of a value, or compare them. */
  private static final Set<String> WIDE =
      Set.of(
          "items",
          "additionalItems",
          "unevaluatedItems",
          "contains",
          "enum",
          "const",
          "properties",
          "patternProperties",
          "additionalProperties",
          "unevaluatedProperties",
          "propertyNames");

  /** Elements that are looked at in about the time of one step. */
  private static final int PER_STEP = 256;

  /** Pairs of elements that are compared in about the time of one step. */
  private static final int PAIRS_PER_STEP = 64;

  private final SchemaSteps steps;
  private final long width;
  private int depth;

  /** An execution on a text whose size is small in any case. */
  CountedExecution(SchemaSteps steps) {
    this(steps, 0);
  }

  /**
   * @param tree what the schema is applied to
   */
  CountedExecution(SchemaSteps steps, JsonNode tree) {
    this(steps, width(tree));
  }

  private CountedExecution(SchemaSteps steps, long width) {
    super(ExecutionConfig.builder().locale(Locale.ROOT).formatAssertionsEnabled(false).build());
    this.steps = steps;
    this.width = width;
    steps.take(width / PER_STEP);
  }

  @Override
  public void evaluationPathAddLast(String token) {
    enter(1 + size(token) + ofWidth(token));
    super.evaluationPathAddLast(token);
  }

  @Override
  public void evaluationPathAddLast(int token) {
    enter(1);
    super.evaluationPathAddLast(token);
  }

  @Override
  public void evaluationPathRemoveLast() {
    depth--;
    super.evaluationPathRemoveLast();
  }

  @Override
  public void addError(Error error) {
    steps.take(ERROR_STEPS);
    super.addError(error);
  }

  private void enter(long cost) {
    depth++;
    if (depth > DEPTH_MAX) {
      throw new SchemaSteps.TooManySteps();
    }
    steps.take(cost);
  }

  /** A keyword with many members may look at all of them; an enumeration is a hash table. */
  private int size(String keyword) {
    Schema schema = getEvaluationSchema().peekLast();
    int size = schema == null ? 0 : schema.getSchemaNode().path(keyword).size();
    return keyword.equals("enum") ? size / PER_STEP : size;
  }

  private long ofWidth(String keyword) {
    if (keyword.equals("uniqueItems")) {
      // hashes of elements can be made to collide, so that each is compared with each
      return width * width / PAIRS_PER_STEP;
    }
    return WIDE.contains(keyword) ? width / PER_STEP : 0;
  }

  /** The most elements or members of one array or object. */
  private static long width(JsonNode node) {
    return Math.max(
        node.size(), node.valueStream().mapToLong(CountedExecution::width).max().orElse(0));
  }
}
