@NullMarked
package gatebook.events.journal.axon;

import org.jspecify.annotations.NullMarked;
