/**
 * Views and how far they have come: made anew, and what they could not take, on the command line.
 */
@NullMarked
package gatebook.api.replay;

import org.jspecify.annotations.NullMarked;
