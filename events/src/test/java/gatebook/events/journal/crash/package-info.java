/** Tests of the journal after its process, its database or its disk failed under load. */
@NullMarked
package gatebook.events.journal.crash;

import org.jspecify.annotations.NullMarked;
