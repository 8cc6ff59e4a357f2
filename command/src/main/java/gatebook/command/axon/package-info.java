/** Registers entities and handlers of commands and queries with Axon. */
@NullMarked
package gatebook.command.axon;

import org.jspecify.annotations.NullMarked;
