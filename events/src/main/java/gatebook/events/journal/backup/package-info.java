/** Backup and restore: copies of the journal that are checked, and from which it can go on. */
@NullMarked
package gatebook.events.journal.backup;

import org.jspecify.annotations.NullMarked;
