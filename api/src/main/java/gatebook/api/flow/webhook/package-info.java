/** Webhooks of executions: their configuration, their messages and the deliveries of these. */
@NullMarked
package gatebook.api.flow.webhook;

import org.jspecify.annotations.NullMarked;
