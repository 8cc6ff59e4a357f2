/** The journal as rows of a SQL database: what H2 and PostgreSQL have in common. */
@NullMarked
package gatebook.events.journal.sql;

import org.jspecify.annotations.NullMarked;
