/**
 * The faults: everything that can go wrong with a call, as typed values. The record of a fault
 * declares what is true of it in every dialect, and what may be shown of it. Its code and the form
 * of the error response belong to the dialect.
 */
@NullMarked
package gatebook.events.fault;

import org.jspecify.annotations.NullMarked;
