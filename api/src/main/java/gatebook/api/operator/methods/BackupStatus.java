package gatebook.api.operator.methods;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * The status of a backup.
 *
 * @param state {@code none}, {@code running}, {@code made} or {@code failed}
 * @param files how many files are in the target
 * @param ofFiles how many files the backup has
 * @param copied how many of them were not in the target before
 * @param copiedBytes of those
 * @param backup its name
 * @param origin of the log
 * @param size how many events the log has up to its end
 * @param root of the tree over them, in base64
 * @param keys what is wrong with the backups of keys
 * @param unkept why the time of this backup is not kept
 * @param error why there is no new backup
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record BackupStatus(
    String state,
    @Nullable String target,
    @Nullable String startedAt,
    @Nullable String endedAt,
    int files,
    int ofFiles,
    int copied,
    long copiedBytes,
    @Nullable String backup,
    @Nullable String origin,
    @Nullable Long size,
    @Nullable String root,
    @Nullable String keys,
    @Nullable String unkept,
    @Nullable String error) {
  static final BackupStatus NONE =
      new BackupStatus(
          "none", null, null, null, 0, 0, 0, 0, null, null, null, null, null, null, null);
}
