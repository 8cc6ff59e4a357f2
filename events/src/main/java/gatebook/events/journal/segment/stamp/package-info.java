/** Stamps sealed segments after reading them back, compresses them, and watches their files. */
@NullMarked
package gatebook.events.journal.segment.stamp;

import org.jspecify.annotations.NullMarked;
