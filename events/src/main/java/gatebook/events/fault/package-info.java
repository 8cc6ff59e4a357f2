/**
 * The faults: everything that can go wrong with a call, as typed values. A fault has neither a code
 * nor a message for the caller: those belong to the dialect of the error response.
 */
@NullMarked
package gatebook.events.fault;

import org.jspecify.annotations.NullMarked;
