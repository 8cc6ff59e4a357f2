/** The keys that seal content: one for each principal and day, and how they are found. */
@NullMarked
package gatebook.events.keys;

import org.jspecify.annotations.NullMarked;
