/** HTTP controllers for callers, one path for each dialect. */
@NullMarked
package gatebook.api.callers;

import org.jspecify.annotations.NullMarked;
