package gatebook.command.call;

import gatebook.command.rules.Rules;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Record that a source asks the caller something.
 *
 * @param question the id by which the caller is to know it
 * @param params as the source sent them
 */
public record PassQuestion(
    UUID callId,
    String source,
    String question,
    String method,
    @Nullable String params,
    Rules rules) {}
