/** A client of agents that speak A2A: requests with their repeats, streams and cards. */
@NullMarked
package gatebook.api.upstream.agent.client;

import org.jspecify.annotations.NullMarked;
