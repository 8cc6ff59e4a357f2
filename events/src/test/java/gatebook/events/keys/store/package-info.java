/** Tests of the stores of content keys. */
@NullMarked
package gatebook.events.keys.store;

import org.jspecify.annotations.NullMarked;
