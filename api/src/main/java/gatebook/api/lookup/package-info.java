/** One call as its operator reads it. */
@NullMarked
package gatebook.api.lookup;

import org.jspecify.annotations.NullMarked;
