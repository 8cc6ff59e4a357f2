/** Where copies of the journal are kept apart from it: named objects in a directory or a bucket. */
@NullMarked
package gatebook.events.journal.archive;

import org.jspecify.annotations.NullMarked;
