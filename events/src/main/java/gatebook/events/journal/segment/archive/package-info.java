/** Sealed segments that go to an archive, and are read from there. */
@NullMarked
package gatebook.events.journal.segment.archive;

import org.jspecify.annotations.NullMarked;
