package gatebook.events.journal.witness;

import java.io.IOException;
import java.util.Optional;

/**
 * The newest cosigned checkpoint of each log, or by each witness, as signed notes. What is once
 * replaced is never read again, also after a loss of power.
 */
public interface CosignedCheckpoints extends AutoCloseable {

  /**
   * The newest checkpoint of a log; empty when none was cosigned.
   *
   * @param log the hash of its origin in hex digits, or another name of such characters
   */
  Optional<String> read(String log) throws IOException;

  /**
   * Replaces a checkpoint, unless another one has taken its place.
   *
   * @param before the one that was read; empty when there was none
   * @return whether it was replaced, and is durable
   */
  boolean replace(String log, Optional<String> before, String after) throws IOException;

  /** What it cannot do without is given up; the checkpoints stay. */
  @Override
  void close();
}
