package gatebook.events;

/**
 * An event of a backup of content keys, or of its restore; all of them are found by the tag {@code
 * backup}.
 */
public sealed interface BackupEvent extends Event
    permits KeysBackupBegun, KeysBackupCompleted, KeysRestoreBegun {}
