package gatebook.command.tree;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Settles a task of a tree that runs.
 *
 * @param attempt the one that ended
 * @param callId the call to its tool; absent when none was made
 * @param rulesHash of the rules in force
 */
public record SettleTreeTask(
    TaskKey key, int attempt, Ending ending, @Nullable UUID callId, Instant at, String rulesHash)
    implements TreeTaskCommand {

  /** How it ended. */
  public sealed interface Ending {
    /** {@code json} is the text of an object. */
    record Result(String json) implements Ending {}

    /** {@code code} is that of the call to its tool; absent when there was none. */
    record Failure(String error, @Nullable Integer code) implements Ending {}
  }
}
