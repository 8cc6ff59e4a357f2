/**
 * The gateway: the pipeline of one call, from message to durable reply, and the method tables of
 * dialects without a package of their own.
 */
@NullMarked
package gatebook.api.gateway;

import org.jspecify.annotations.NullMarked;
