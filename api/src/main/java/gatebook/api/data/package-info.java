/** The data directory and the files in it. */
@NullMarked
package gatebook.api.data;

import org.jspecify.annotations.NullMarked;
