package gatebook.api.operator.methods;

import com.fasterxml.jackson.annotation.JsonInclude;
import gatebook.api.backup.KeysBackupRun;
import java.nio.file.Path;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The result of a backup of content keys.
 *
 * @param keys how many it has
 * @param newestKeyAt when the newest of them was made
 * @param unrecorded why the journal does not have its end
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record KeysBackupResult(
    String file, long keys, @Nullable String newestKeyAt, @Nullable String unrecorded) {

  public static KeysBackupResult of(Path file, KeysBackupRun.Outcome.Made made) {
    return new KeysBackupResult(
        file.toString(),
        made.keys(),
        made.newestKeyAt().map(Instant::toString).orElse(null),
        made.unrecorded().orElse(null));
  }
}
