/** The daemon over standard input and output. */
@NullMarked
package gatebook.api.stdio;

import org.jspecify.annotations.NullMarked;
