/** The events: one record for everything that can happen in the gateway. */
@NullMarked
package gatebook.events;

import org.jspecify.annotations.NullMarked;
