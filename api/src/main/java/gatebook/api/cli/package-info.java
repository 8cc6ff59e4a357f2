/**
 * The operators' command line: shared options, output, and the commands that need no package of
 * their own.
 */
@NullMarked
package gatebook.api.cli;

import org.jspecify.annotations.NullMarked;
