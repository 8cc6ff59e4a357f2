package gatebook.events;

import java.util.UUID;

/**
 * A backup of the content keys began: from now on the file may hold them.
 *
 * @param operator who asked for it
 * @param file on the machine of the node that writes it
 */
@Named(name = "KeysBackupBegun", version = "1")
public record KeysBackupBegun(UUID backupId, String operator, String file) implements BackupEvent {}
