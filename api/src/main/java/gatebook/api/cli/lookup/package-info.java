/** The commands that look up single calls. */
@NullMarked
package gatebook.api.cli.lookup;

import org.jspecify.annotations.NullMarked;
