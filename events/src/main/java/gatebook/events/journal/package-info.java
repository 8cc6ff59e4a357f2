/** The append-only journal and the databases it is kept in. */
@NullMarked
package gatebook.events.journal;

import org.jspecify.annotations.NullMarked;
