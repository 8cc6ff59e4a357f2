package gatebook.command.call;

import gatebook.command.rules.Rules;
import java.util.UUID;

/**
 * Record what the caller answers to a question of a source's.
 *
 * @param content the result or the error, as the caller sent it
 */
public record PassReply(
    UUID callId, String source, String question, boolean isError, String content, Rules rules) {}
