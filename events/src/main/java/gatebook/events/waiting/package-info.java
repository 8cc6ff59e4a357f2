/** What somebody would otherwise wait for without knowing. */
@NullMarked
package gatebook.events.waiting;

import org.jspecify.annotations.NullMarked;
