/** What makes H2 safe for the views: a file system that stands interrupts, and platform threads. */
@NullMarked
package gatebook.events.journal.h2;

import org.jspecify.annotations.NullMarked;
