/** Files of a journal in segments: their format, compressed blocks, indexes and filters. */
@NullMarked
package gatebook.events.journal.segment.file;

import org.jspecify.annotations.NullMarked;
