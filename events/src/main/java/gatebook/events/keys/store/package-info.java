/** The stores of content keys: files in the data directory, or tables of a shared database. */
@NullMarked
package gatebook.events.keys.store;

import org.jspecify.annotations.NullMarked;
