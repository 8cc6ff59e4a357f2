package gatebook.command.tree.execution;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Records how an attempt at the delivery of a webhook's message ended.
 *
 * @param type of the message
 * @param taskId the task that the message is about
 * @param last whether the message tells the end of the execution
 * @param attempt from 1
 */
public record RecordDelivery(
    UUID executionId,
    String type,
    String taskId,
    boolean last,
    int attempt,
    Outcome outcome,
    Instant at)
    implements TreeExecutionCommand {

  /** How the attempt ended. */
  public sealed interface Outcome {

    /** The receiver accepted the message. */
    record Delivered(int status) implements Outcome {}

    /**
     * The receiver did not accept it.
     *
     * @param status of its HTTP response; absent when there was none
     * @param givenUp whether no further attempt follows
     */
    record NotDelivered(@Nullable Integer status, String reason, boolean givenUp)
        implements Outcome {}
  }
}
