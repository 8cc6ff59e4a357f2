package gatebook.api.backup;

import java.time.Instant;
import java.util.Optional;

/**
 * A backup of content keys that the journal has.
 *
 * @param file on the machine where it was written
 * @param completed what it has; empty while it is not known to be on the disk
 */
record KeysBackup(String file, String machine, Instant begunAt, Optional<Completed> completed) {

  /**
   * What a backup has.
   *
   * @param newestKeyAt when the newest key in it was made; empty when it has none
   */
  record Completed(Instant at, long keys, Optional<Instant> newestKeyAt) {}

  KeysBackup with(Completed end) {
    return new KeysBackup(file, machine, begunAt, Optional.of(end));
  }

  Instant at() {
    return completed.map(Completed::at).orElse(begunAt);
  }

  /** Whether a later backup took the place of this file. */
  boolean isReplacedBy(KeysBackup later) {
    return later.completed.isPresent()
        && file.equals(later.file)
        && machine.equals(later.machine)
        && !later.at().isBefore(at());
  }
}
