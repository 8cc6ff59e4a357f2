@NullMarked
package gatebook.events.journal;

import org.jspecify.annotations.NullMarked;
