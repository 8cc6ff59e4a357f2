package gatebook.command.policy;

import gatebook.events.call.Principal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What policies are asked: may this principal do this?
 *
 * @param tool whether the name is a tool's, whose arguments policies see, or what {@code method}
 *     acts on
 * @param name as the source itself knows it
 * @param arguments the text of a JSON object; absent where there are none
 * @param policyId what the rule that asks names
 * @param at the time of the call
 */
public record PolicyQuestion(
    Principal principal,
    String method,
    boolean tool,
    String name,
    String source,
    @Nullable String arguments,
    String policyId,
    Instant at) {}
