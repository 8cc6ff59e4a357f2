/** The A2A client: agents' cards, messages, tasks and streams. */
@NullMarked
package gatebook.api.upstream.agent;

import org.jspecify.annotations.NullMarked;
