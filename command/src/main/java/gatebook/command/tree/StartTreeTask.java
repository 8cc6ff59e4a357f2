package gatebook.command.tree;

import java.time.Instant;
import java.util.UUID;

/** Starts a pending task of a tree. */
public record StartTreeTask(TaskKey key, UUID executionId, Instant at) implements TreeTaskCommand {

  /** The outcome. */
  public sealed interface Outcome {
    /** It runs; {@code attempt} is from 1. */
    record Started(int attempt) implements Outcome {}

    /** It is not pending: it was cancelled, or another process runs it. */
    record NotPending() implements Outcome {}
  }
}
