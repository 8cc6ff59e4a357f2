/**
 * The journal of one machine as append-only segment files, each with an index: start with {@code
 * SegmentStorage}, then {@code SegmentWriter} and {@code BatchRecord}.
 */
@NullMarked
package gatebook.events.journal.segment;

import org.jspecify.annotations.NullMarked;
