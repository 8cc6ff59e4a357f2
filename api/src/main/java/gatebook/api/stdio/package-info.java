/** The daemon on standard input and output, in frames with a {@code Content-Length}. */
@NullMarked
package gatebook.api.stdio;

import org.jspecify.annotations.NullMarked;
