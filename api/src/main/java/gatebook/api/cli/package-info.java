/**
 * The command line of operators: options, printing, and the commands that need no package of their
 * own.
 */
@NullMarked
package gatebook.api.cli;

import org.jspecify.annotations.NullMarked;
