package gatebook.command.policy;

import gatebook.events.call.Principal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A question to policies: may this principal do this?
 *
 * @param tool whether the name is a tool's, whose arguments policies see; otherwise it is what
 *     {@code method} acts on
 * @param name as the source itself knows it, without a prefix
 * @param arguments the text of a JSON object; null when there are none
 * @param policyId the policy id of the matching rule
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
