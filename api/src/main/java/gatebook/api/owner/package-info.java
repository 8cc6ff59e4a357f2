/**
 * Several processes on one data directory: the first keeps the journal, the others record in it.
 */
@NullMarked
package gatebook.api.owner;

import org.jspecify.annotations.NullMarked;
