/** The PostgreSQL database of a journal that several processes share. */
@NullMarked
package gatebook.events.journal.postgres;

import org.jspecify.annotations.NullMarked;
