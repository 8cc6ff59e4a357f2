package gatebook.api.gateway;

import gatebook.command.call.Intent;
import gatebook.command.gate.VisibilityGate;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.events.fault.Denied.Content;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What a log line about an error says of the call, as far as it is known.
 *
 * @param targetField the name of the target's field, which says what it is
 */
record CallContext(
    @Nullable String principal,
    @Nullable String source,
    String targetField,
    @Nullable String target,
    @Nullable String taskId) {

  private static final String CALL = "tools/call";

  /** The context of a call that acts on nothing. */
  CallContext(@Nullable String principal, @Nullable String taskId) {
    this(principal, null, "target", null, taskId);
  }

  /** The context of a call that acts on a target; {@code names} takes secrets out of it. */
  static CallContext of(
      String principal,
      String method,
      Intent.Act act,
      Rules rules,
      UnaryOperator<String> names,
      @Nullable String taskId) {
    String source =
        VisibilityGate.answering(act.target(), act.on().family(), rules)
            .map(Source::id)
            .orElse(null);
    Content content = act.on().content();
    String field = content == null ? (method.equals(CALL) ? "tool" : "target") : content.word();
    return new CallContext(principal, source, field, names.apply(act.targets()), taskId);
  }
}
