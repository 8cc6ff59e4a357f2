/** Handles the commands and queries about calls: loads the call, has it decided, and appends. */
@NullMarked
package gatebook.command.call.handler;

import org.jspecify.annotations.NullMarked;
