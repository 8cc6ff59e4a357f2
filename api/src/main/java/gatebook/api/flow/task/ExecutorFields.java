package gatebook.api.flow.task;

import gatebook.api.flow.schema.FieldPath;
import gatebook.api.rpc.CheckedMembers;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Checks the fields of a task that name its executor, and say how often it is tried. */
public final class ExecutorFields {
  static final int ATTEMPTS_DEFAULT = 3;
  static final BigDecimal INITIAL_DELAY_DEFAULT = BigDecimal.ONE;
  static final BigDecimal DELAY_DEFAULT = BigDecimal.valueOf(60);

  private static final int NAME_CHARS_MAX = 255;
  private static final int ATTEMPTS_MAX = 10;
  private static final BigDecimal SECONDS_MIN = BigDecimal.ONE;
  private static final BigDecimal SECONDS_MAX = BigDecimal.valueOf(60);
  private static final Map<String, String> TYPES =
      Map.of("local", "local", "remote", "remote", "external", "external");
  private static final Map<String, String> BACKOFFS = Map.of("exponential", "exponential");

  private static final List<String> RETRY_FIELDS =
      List.of("max_attempts", "backoff", "initial_delay", "max_delay");

  private ExecutorFields() {}

  /** The executor; empty for a task that only groups others. */
  public static Optional<String> executor(CheckedMembers task, FlowProfile profile) {
    CheckedMembers params = task.inner("params");
    Optional<String> executorId = params.text("executor_id", NAME_CHARS_MAX);
    checkRetry(params);
    CheckedMembers schemas = task.inner("schemas");
    boolean hasSchemas = task.json("schemas").filter(json -> json.startsWith("{")).isPresent();
    boolean isNamedElsewhere = profile == FlowProfile.CLIENT && executorId.isPresent();
    if (hasSchemas && !isNamedElsewhere) {
      schemas.require("method", "string");
    }
    checkSchemas(schemas, profile);
    Optional<String> method = schemas.text("method", NAME_CHARS_MAX);
    return executorId.or(() -> method);
  }

  /** Existing clients have types and models of their own. */
  private static void checkSchemas(CheckedMembers schemas, FlowProfile profile) {
    schemas.object("input_schema");
    if (profile == FlowProfile.PROTOCOL) {
      schemas.word("type", TYPES);
      schemas.anyText("model");
    }
  }

  private static void checkRetry(CheckedMembers params) {
    CheckedMembers retry = params.inner("retry");
    retry
        .members()
        .forEach((name, _) -> {
          if (!RETRY_FIELDS.contains(name)) {
            retry.add(
                FieldPath.name(name),
                CheckedMembers.UNKNOWN_FIELD,
                String.join(", ", RETRY_FIELDS),
                null);
          }
        });
    retry.whole("max_attempts", 1, ATTEMPTS_MAX);
    retry.word("backoff", BACKOFFS);
    Optional<BigDecimal> initial = retry.number("initial_delay", SECONDS_MIN, SECONDS_MAX);
    Optional<BigDecimal> longest = retry.number("max_delay", SECONDS_MIN, SECONDS_MAX);
    BigDecimal delay = initial.orElse(INITIAL_DELAY_DEFAULT);
    if (longest.isPresent() && longest.get().compareTo(delay) < 0) {
      retry.add("max_delay", CheckedMembers.OUT_OF_RANGE, "at least initial_delay", null);
    }
  }
}
