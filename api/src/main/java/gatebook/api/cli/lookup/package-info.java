/** The commands that show single calls. */
@NullMarked
package gatebook.api.cli.lookup;

import org.jspecify.annotations.NullMarked;
