/**
 * The append-only journal, with its writer, readers and checks. Its databases are in packages of
 * their own.
 */
@NullMarked
package gatebook.events.journal;

import org.jspecify.annotations.NullMarked;
