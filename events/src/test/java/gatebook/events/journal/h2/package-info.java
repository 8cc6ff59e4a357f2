@NullMarked
package gatebook.events.journal.h2;

import org.jspecify.annotations.NullMarked;
