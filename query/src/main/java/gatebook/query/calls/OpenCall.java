package gatebook.query.calls;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A call that began and has not ended: somebody may still have to be told something.
 *
 * @param node that received it
 * @param taskId under which the caller waits; absent when the call itself waits
 * @param forwarded whether it may have had its effect
 * @param held whether a person is being asked
 */
public record OpenCall(
    UUID callId,
    String correlationId,
    String node,
    Instant receivedAt,
    @Nullable String taskId,
    boolean forwarded,
    boolean held) {}
