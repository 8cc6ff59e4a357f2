/** HTTP controllers for callers. */
@NullMarked
package gatebook.api.callers;

import org.jspecify.annotations.NullMarked;
