@NullMarked
package gatebook.events.journal.segment;

import org.jspecify.annotations.NullMarked;
