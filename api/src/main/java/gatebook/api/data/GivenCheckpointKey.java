package gatebook.api.data;

import gatebook.events.journal.checkpoint.CheckpointKey;
import gatebook.events.journal.checkpoint.LoadedKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The key that signs checkpoints, given in the environment to a node that begins with an empty data
 * directory. A key that is there stays, since it may be a newer one.
 */
public final class GivenCheckpointKey {

  /** The variable of the environment that may have the key. */
  public static final String VARIABLE = "GATEBOOK_CHECKPOINT_KEY";

  private GivenCheckpointKey() {}

  /**
   * Writes the key to its file if there is none.
   *
   * @return why it cannot be used; empty when it is used, or not needed
   */
  public static Optional<String> store(Path file, Map<String, String> environment) {
    String given = environment.get(VARIABLE);
    return given == null || Files.exists(file) ? Optional.empty() : write(file, given.strip());
  }

  private static Optional<String> write(Path file, String text) {
    if (CheckpointKey.parse(text) instanceof LoadedKey.Refused<CheckpointKey>(String why)) {
      return Optional.of("%s cannot be used: %s".formatted(VARIABLE, why));
    }
    try {
      PrivateFile.write(file, text + "\n");
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of("cannot write %s (%s)".formatted(file, FileFailure.reason(e)));
    }
  }
}
