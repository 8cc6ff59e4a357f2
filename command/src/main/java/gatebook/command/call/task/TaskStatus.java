package gatebook.command.call.task;

import gatebook.command.call.TaskState;
import gatebook.events.TaskCreated;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The status of a task, as far as the caller that asks may know it. */
public sealed interface TaskStatus {

  /** There is no such task, or it belongs to another caller: the two are never distinguished. */
  record Unknown() implements TaskStatus {}

  /** Its time to live has passed. */
  record Expired(TaskCreated task) implements TaskStatus {}

  /**
   * The task belongs to the caller.
   *
   * @param workingSince when it needed no approval or was approved; absent when it never was
   * @param changedAt when it entered the state
   * @param due until when its approval can be decided; when it was created, if it needs none
   * @param at when it was in the state
   * @param params the params of the call, as they were sent; absent where they cannot be read
   */
  record Known(
      TaskCreated task,
      TaskState state,
      @Nullable Instant workingSince,
      Instant changedAt,
      Instant due,
      Instant at,
      @Nullable String params)
      implements TaskStatus {}
}
