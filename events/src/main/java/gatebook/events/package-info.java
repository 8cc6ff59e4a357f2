/** The vocabulary: one record for everything that can happen, and nothing that has not. */
@NullMarked
package gatebook.events;

import org.jspecify.annotations.NullMarked;
