package gatebook.api.flow.schema;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.dialect.Dialect;
import com.networknt.schema.dialect.Dialects;
import com.networknt.schema.resource.SchemaLoader;
import gatebook.api.flow.schema.SchemaReading.Unusable;
import gatebook.api.flow.schema.SchemaReading.Usable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Compiles schemas for checks. Nothing is loaded that a schema refers to, except its draft's own
 * schema, which is part of the library.
 */
public final class SchemaCompiler {
  public static final String TOO_MANY_STEPS = "Takes too many steps to check";
  public static final String NOT_COMPUTABLE = "Nested too deep, or a number has too many digits";
  public static final String OUTSIDE = "Refers to something outside the schema";
  public static final String CIRCLE = "A part of the schema applies itself again, so no check ends";
  public static final String UNKNOWN_DRAFT =
      "$schema names no draft of JSON Schema from 4 to 2020-12";
  public static final String PATTERNS =
      "A pattern is too large, or needs backtracking, which is not supported";

  public static final String NOWHERE =
      "Not a valid JSON Schema: a reference, an id or a $schema within it leads nowhere";

  private static final int REASONS_MAX = 20;
  private static final List<Dialect> DIALECTS =
      List.of(
          Dialects.getDraft7(),
          Dialects.getDraft202012(),
          Dialects.getDraft201909(),
          Dialects.getDraft6(),
          Dialects.getDraft4());

  /** Drafts in which something may stand beside a reference. */
  private static final Set<Dialect> LATER_DRAFTS =
      Set.of(Dialects.getDraft202012(), Dialects.getDraft201909());

  /** The schemas of drafts, by their ids. */
  private static final Map<String, Schema> OF_DRAFTS = new ConcurrentHashMap<>();

  private static final SchemaLoader NOTHING = SchemaLoader.builder().block(_ -> true).build();

  private final SchemaLimits limits;
  private final SchemaSteps steps;

  SchemaCompiler(SchemaLimits limits, SchemaSteps steps) {
    this.limits = limits;
    this.steps = steps;
  }

  SchemaReading read(String json, SchemaDraft draft) {
    int bytes = json.getBytes(UTF_8).length;
    if (bytes > limits.bytesMax()) {
      return new Unusable("Larger than %d bytes".formatted(limits.bytesMax()));
    }
    Optional<JsonNode> tree = SchemaText.tree(json, limits.depthMax());
    if (tree.isEmpty()) {
      return new Unusable(NOT_COMPUTABLE);
    }
    if (SchemaReferences.leadOutside(tree.get())) {
      return new Unusable(OUTSIDE);
    }
    try {
      return steps.count(() -> compiled(tree.get(), draft));
    } catch (SchemaSteps.TooManySteps | StackOverflowError _) {
      return new Unusable(TOO_MANY_STEPS);
    }
  }

  private SchemaReading compiled(JsonNode tree, SchemaDraft draft) {
    steps.take(tree.size());
    Optional<Dialect> dialect = dialect(tree.path("$schema").asText(draft.id));
    if (dialect.isEmpty()) {
      return new Unusable(UNKNOWN_DRAFT);
    }
    List<String> mistakes = mistakes(tree, dialect.get());
    if (!mistakes.isEmpty()) {
      return new Unusable(mistakes);
    }
    return SchemaCircles.areIn(tree, !LATER_DRAFTS.contains(dialect.get()))
        ? new Unusable(CIRCLE)
        : compiled(tree, dialect.get(), draft.ignoresPatterns);
  }

  private static Optional<Dialect> dialect(String id) {
    String known = withoutFragment(id);
    return DIALECTS.stream()
        .filter(dialect -> withoutFragment(dialect.getId()).equals(known))
        .findFirst();
  }

  private static String withoutFragment(String id) {
    String secure = id.replaceFirst("^https:", "http:");
    return secure.endsWith("#") ? secure.substring(0, secure.length() - 1) : secure;
  }

  private List<String> mistakes(JsonNode tree, Dialect dialect) {
    Schema ofDraft = OF_DRAFTS.computeIfAbsent(dialect.getId(), SchemaCompiler::ofDraft);
    CountedExecution execution = new CountedExecution(steps);
    ofDraft.validate(execution, tree);
    return execution.getErrors().stream()
        .map(SchemaCompiler::mistake)
        .distinct()
        .limit(REASONS_MAX)
        .toList();
  }

  private static Schema ofDraft(String id) {
    return SchemaRegistry.withDialects(
            DIALECTS, builder -> builder.schemaRegistryConfig(config(new LinearPatterns()).build()))
        .getSchema(SchemaLocation.of(id));
  }

  private static String mistake(Error error) {
    String place = error.getInstanceLocation().toString();
    return place.isEmpty()
        ? "Not a valid JSON Schema"
        : "Not a valid JSON Schema at " + FieldPath.shortened(place);
  }

  private static SchemaReading compiled(JsonNode tree, Dialect dialect, boolean ignoresPatterns) {
    LinearPatterns patterns = new LinearPatterns();
    SchemaRegistry registry =
        SchemaRegistry.withDialects(
            DIALECTS,
            builder ->
                builder
                    .defaultDialectId(dialect.getId())
                    .schemaCacheEnabled(false)
                    .schemaLoader(NOTHING)
                    .schemaRegistryConfig(config(patterns).build()));
    try {
      Schema schema = registry.getSchema(tree);
      schema.initializeValidators();
      boolean isUsable =
          patterns.unsupported().isEmpty()
              || (ignoresPatterns && IgnoredPatterns.refuseNothing(patterns.unsupported(), tree));
      return isUsable ? new Usable(new CompiledSchema(schema)) : new Unusable(PATTERNS);
    } catch (SchemaSteps.TooManySteps e) {
      throw e;
    } catch (RuntimeException e) {
      return new Unusable(NOWHERE);
    }
  }

  private static SchemaRegistryConfig.Builder config(LinearPatterns patterns) {
    return SchemaRegistryConfig.builder()
        .regularExpressionFactory(patterns)
        .preloadSchema(false)
        .formatAssertionsEnabled(false);
  }
}
