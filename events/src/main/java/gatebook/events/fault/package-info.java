/**
 * Everything that can go wrong with a call, as typed facts. A fault carries neither a code nor
 * words for the caller: those belong to the dialect it is told in.
 */
@NullMarked
package gatebook.events.fault;

import org.jspecify.annotations.NullMarked;
