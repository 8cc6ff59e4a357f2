package gatebook.api.gateway;

import java.util.UUID;

/**
 * One run of a task of a tree: the gateway calls a tool for the task's owner, by the rules in force
 * now.
 *
 * @param owner the name of the principal that owns the task
 * @param callId the id of the call
 */
public record TaskRun(String owner, String taskId, UUID callId) {

  /**
   * The version of the dialect in which the gateway makes these calls; no caller can declare it.
   */
  public static final String VERSION = "task-run";
}
