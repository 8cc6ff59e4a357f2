/**
 * Tasks as they are stored and read: their definitions, their JSON, the requests about them, and
 * the recorded facts about their executions.
 */
@NullMarked
package gatebook.api.flow.task;

import org.jspecify.annotations.NullMarked;
