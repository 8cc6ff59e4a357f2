/** The rules file: reading it and telling its mistakes. */
@NullMarked
package gatebook.command.rules.file;

import org.jspecify.annotations.NullMarked;
