package gatebook.command.tree;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Starts a pending task of a tree.
 *
 * @param updatedAt when the task was updated last, as it was read: what is run must be what its
 *     owner wants now
 * @param callId the call to its tool that is to be made; absent for a task without one
 */
public record StartTreeTask(
    TaskKey key, UUID executionId, Instant updatedAt, @Nullable UUID callId, Instant at)
    implements TreeTaskCommand {

  /** The outcome. */
  public sealed interface Outcome {
    /** It runs; {@code attempt} is from 1. */
    record Started(int attempt) implements Outcome {}

    /** It is not pending: it was cancelled, or another process runs it. */
    record NotPending() implements Outcome {}

    /** It was updated since it was read. */
    record Changed() implements Outcome {}
  }
}
