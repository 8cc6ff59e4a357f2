@NullMarked
package gatebook.events.journal.postgres;

import org.jspecify.annotations.NullMarked;
