/** What is decided: one package per decision, and what they share. */
@NullMarked
package gatebook.command;

import org.jspecify.annotations.NullMarked;
