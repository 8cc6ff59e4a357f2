/** The journal as Axon's storage engine: the only package that uses what Axon marks as internal. */
@NullMarked
package gatebook.events.journal.axon;

import org.jspecify.annotations.NullMarked;
