package gatebook.api.gateway.message;

import gatebook.events.call.Correlation;
import gatebook.events.fault.Fault;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One run of a task of a tree: the gateway calls a tool for the task's owner, by the rules in force
 * now.
 *
 * @param owner the name of the principal that owns the task
 * @param callId the id of the call
 * @param correlation of the execution; absent when it has none
 * @param flaw why the tool is not called even if no gate denies it; absent when it is called
 */
public record TaskRun(
    String owner,
    String taskId,
    UUID callId,
    @Nullable Correlation correlation,
    @Nullable Fault flaw) {

  /**
   * The version of the dialect in which the gateway makes these calls; no caller can declare it.
   */
  public static final String VERSION = "task-run";
}
