/** The one place that touches what Axon marks as internal: the journal as Axon's storage engine. */
@NullMarked
package gatebook.events.journal.axon;

import org.jspecify.annotations.NullMarked;
