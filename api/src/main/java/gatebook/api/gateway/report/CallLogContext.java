package gatebook.api.gateway.report;

import gatebook.api.upstream.mcp.McpMethod;
import gatebook.command.call.Intent;
import gatebook.command.gate.VisibilityGate;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.events.fault.Denied.Content;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Context of a call in the log line about an error, as far as it is known.
 *
 * @param targetField the name of the target's field, which is the kind of the target
 * @param operation what the method does, in dialects whose methods have several names
 */
public record CallLogContext(
    @Nullable String principal,
    @Nullable String source,
    String targetField,
    @Nullable String target,
    @Nullable String taskId,
    @Nullable String operation) {

  /** The context of a call that acts on nothing. */
  public CallLogContext(@Nullable String principal, @Nullable String taskId) {
    this(principal, null, "target", null, taskId, null);
  }

  /** The context of a call that acts on a target; {@code names} removes secrets from its name. */
  public static CallLogContext of(
      String principal,
      String method,
      Intent.Act act,
      Rules rules,
      UnaryOperator<String> names,
      @Nullable String taskId) {
    String source =
        VisibilityGate.sourceFor(act.target(), act.targetKind().family(), rules)
            .map(Source::id)
            .orElse(null);
    Content content = act.targetKind().content();
    String field =
        content == null
            ? (method.equals(McpMethod.TOOLS_CALL) ? "tool" : "target")
            : content.word();
    return new CallLogContext(
        principal, source, field, names.apply(act.targetSummary()), taskId, null);
  }

  /** The same context with the operation of the call. */
  public CallLogContext withOperation(Optional<String> named) {
    return new CallLogContext(principal, source, targetField, target, taskId, named.orElse(null));
  }
}
