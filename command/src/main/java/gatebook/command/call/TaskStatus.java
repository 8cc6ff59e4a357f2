package gatebook.command.call;

import gatebook.events.TaskCreated;
import gatebook.events.call.ErrorResponse;
import gatebook.events.fault.Fault;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Where a task stands, as far as whoever asks may know. */
public sealed interface TaskStatus {

  /** There is none, or it is not his: the two are never told apart. */
  record Unknown() implements TaskStatus {}

  /** It outlived its time. */
  record Expired(TaskCreated task) implements TaskStatus {}

  /**
   * It is his.
   *
   * @param changedAt when it began to stand so
   * @param due until when somebody may decide about it
   * @param at when it stood so
   * @param original the params of the call, as they were sent; absent where they cannot be read
   */
  record Known(
      TaskCreated task,
      State state,
      Instant changedAt,
      Instant due,
      Instant at,
      @Nullable String original)
      implements TaskStatus {}

  /** How far it has come. */
  sealed interface State {

    /** Somebody is asked about it. */
    record Waiting() implements State {}

    /** It was approved, and goes to the source. */
    record Working() implements State {}

    /** {@code result} is as the source gave it. */
    record Answered(boolean toolError, String result) implements State {}

    /** {@code told} is what a caller who waited would have been told. */
    record Failed(Fault fault, ErrorResponse told) implements State {}

    record Cancelled() implements State {}

    /** Whether it stands so for good. */
    default boolean isFinal() {
      return !(this instanceof Waiting || this instanceof Working);
    }
  }
}
