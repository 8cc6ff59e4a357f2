/** The paths of the callers' port, one for each dialect, and what answers there. */
@NullMarked
package gatebook.api.callers;

import org.jspecify.annotations.NullMarked;
