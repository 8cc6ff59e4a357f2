/** The commands that back up a journal and restore it. */
@NullMarked
package gatebook.api.cli.backup;

import org.jspecify.annotations.NullMarked;
