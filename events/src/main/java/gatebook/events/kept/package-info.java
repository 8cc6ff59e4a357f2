/** What stays when events are dropped for good, because it still decides. */
@NullMarked
package gatebook.events.kept;

import org.jspecify.annotations.NullMarked;
