/** Tasks and contexts of agents upstream: who owns them, and which messages were sent before. */
@NullMarked
package gatebook.command.call.agent;

import org.jspecify.annotations.NullMarked;
