package gatebook.events;

import java.time.Instant;

/**
 * The content keys of a backup are put back from now on, but for those that were erased.
 *
 * @param operator who asked for it
 * @param file the backup
 * @param backupAt when it was made
 * @param keys how many there are in it
 */
@Named(name = "KeysRestoreBegun", version = "1")
public record KeysRestoreBegun(String operator, String file, Instant backupAt, long keys)
    implements BackupEvent {}
