/** The journal as rows of a PostgreSQL database that several processes share. */
@NullMarked
package gatebook.events.journal.postgres;

import org.jspecify.annotations.NullMarked;
