/** Reading the rules file: every mistake at once, each in its place. */
@NullMarked
package gatebook.command.rules.file;

import org.jspecify.annotations.NullMarked;
