/**
 * The port to the storage of a journal: what is stored of events and checkpoints, and how it is
 * read back and verified.
 */
@NullMarked
package gatebook.events.journal.storage;

import org.jspecify.annotations.NullMarked;
