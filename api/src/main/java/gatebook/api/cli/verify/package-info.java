/** The command that verifies a journal. */
@NullMarked
package gatebook.api.cli.verify;

import org.jspecify.annotations.NullMarked;
