package gatebook.api.flow.task;

import static gatebook.api.rpc.RequestMember.optional;

import gatebook.api.flow.schema.FieldPath;
import gatebook.api.rpc.CheckedMembers;
import gatebook.api.rpc.JsonType;
import gatebook.api.rpc.MemberType;
import gatebook.api.rpc.MemberType.Decimal;
import gatebook.api.rpc.MemberType.Members;
import gatebook.api.rpc.MemberType.Text;
import gatebook.api.rpc.MemberType.Whole;
import gatebook.api.rpc.MemberType.Word;
import gatebook.api.rpc.RequestMember;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/** Checks the fields of a task that name its executor, and say how often it is tried. */
public final class ExecutorFields {
  static final int ATTEMPTS_DEFAULT = 3;
  static final BigDecimal INITIAL_DELAY_DEFAULT = BigDecimal.ONE;
  static final BigDecimal DELAY_DEFAULT = BigDecimal.valueOf(60);

  private static final MemberType NAME = Text.between(1, 255);
  private static final MemberType SECONDS = Decimal.between(BigDecimal.ONE, DELAY_DEFAULT);

  private static final RequestMember EXECUTOR_ID =
      optional("executor_id", NAME, "The tool or built-in executor; schemas.method by default.");
  private static final RequestMember INITIAL_DELAY =
      optional("initial_delay", SECONDS, "The seconds before the second attempt.")
          .byDefault(INITIAL_DELAY_DEFAULT);
  private static final RequestMember MAX_DELAY =
      optional("max_delay", SECONDS, "The most seconds between attempts.").byDefault(DELAY_DEFAULT);
  private static final List<RequestMember> RETRY_FIELDS =
      List.of(
          optional("max_attempts", Whole.between(1, 10), "The most attempts.")
              .byDefault(ATTEMPTS_DEFAULT),
          optional(
                  "backoff",
                  Word.of(List.of("exponential")),
                  "How the time between attempts grows.")
              .byDefault("\"exponential\""),
          INITIAL_DELAY,
          MAX_DELAY);
  private static final RequestMember RETRY =
      optional(
          "retry",
          Members.of(RETRY_FIELDS),
          "How often it is tried; no other members are accepted.");

  /** Of a task. */
  public static final RequestMember PARAMS =
      optional(
          "params",
          Members.of(List.of(EXECUTOR_ID, RETRY)),
          "Parameters for the executor; any other members are accepted.");

  private static final RequestMember METHOD =
      optional("method", NAME, "The tool or built-in executor.");
  private static final RequestMember INPUT_SCHEMA =
      optional("input_schema", Members.ANY, "The JSON Schema of the inputs.");

  private static final RequestMember SCHEMAS =
      schemas(
          METHOD.mandatory(),
          INPUT_SCHEMA,
          optional(
              "type", Word.of(List.of("external", "local", "remote")), "The kind of the executor."),
          optional("model", Text.ANY, "The model of the executor."));

  /** Existing clients have types and models of their own. */
  private static final RequestMember SCHEMAS_OF_CLIENT = schemas(METHOD, INPUT_SCHEMA);

  private ExecutorFields() {}

  private static RequestMember schemas(RequestMember... members) {
    return optional(
        "schemas",
        Members.of(List.of(members)),
        "The executor; a task without one only groups others.");
  }

  /** Of a task. */
  public static RequestMember schemas(FlowProfile profile) {
    return switch (profile) {
      case PROTOCOL -> SCHEMAS;
      case CLIENT -> SCHEMAS_OF_CLIENT;
    };
  }

  /** The executor; empty for a task that only groups others. */
  public static Optional<String> executor(CheckedMembers task, FlowProfile profile) {
    CheckedMembers params = task.inner(PARAMS);
    checkRetry(params.inner(RETRY));
    Optional<String> executorId = params.text(EXECUTOR_ID);
    CheckedMembers schemas = task.inner(SCHEMAS);
    boolean isNamedHere = profile == FlowProfile.CLIENT && executorId.isEmpty();
    if (isNamedHere && task.json(SCHEMAS).isPresent()) {
      schemas.require(METHOD);
    }
    return executorId.or(() -> schemas.text(METHOD));
  }

  private static void checkRetry(CheckedMembers retry) {
    List<String> names = RETRY_FIELDS.stream().map(RequestMember::name).toList();
    retry
        .members()
        .forEach((name, json) -> {
          if (!names.contains(name)) {
            retry.add(
                FieldPath.name(name),
                CheckedMembers.UNKNOWN_FIELD,
                String.join(", ", names),
                JsonType.quotedOf(json));
          }
        });
    BigDecimal least = retry.decimal(INITIAL_DELAY).orElse(INITIAL_DELAY_DEFAULT);
    if (retry.decimal(MAX_DELAY).orElse(DELAY_DEFAULT).compareTo(least) < 0) {
      retry.add(MAX_DELAY, CheckedMembers.OUT_OF_RANGE, "at least initial_delay");
    }
  }
}
