package gatebook.events;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A backup of the content keys is on the disk.
 *
 * @param keys how many there are in it
 * @param newestKeyAt when the newest of them was made; absent when it has none
 */
@Named(name = "KeysBackupCompleted", version = "1")
public record KeysBackupCompleted(UUID backupId, long keys, @Nullable Instant newestKeyAt)
    implements BackupEvent {}
