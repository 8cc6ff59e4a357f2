/**
 * The rules file: reading it, reporting its mistakes, and masking its secrets for the journal.
 * {@link gatebook.command.rules.file.RulesFile} is the entry point.
 */
@NullMarked
package gatebook.command.rules.file;

import org.jspecify.annotations.NullMarked;
