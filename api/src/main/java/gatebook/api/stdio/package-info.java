/** {@code gatebook stdio}: a daemon that an editor starts, speaking in frames. */
@NullMarked
package gatebook.api.stdio;

import org.jspecify.annotations.NullMarked;
