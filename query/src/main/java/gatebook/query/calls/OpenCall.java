package gatebook.query.calls;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An open call: it began and has not ended, so its caller may still get a response.
 *
 * @param node the node that received it
 * @param taskId the task under which the caller waits; absent when it waits for the call itself
 * @param forwarded whether the upstream may have executed it
 * @param held whether an approval is pending
 */
public record OpenCall(
    UUID callId,
    String correlationId,
    String node,
    Instant receivedAt,
    @Nullable String taskId,
    boolean forwarded,
    boolean held) {}
