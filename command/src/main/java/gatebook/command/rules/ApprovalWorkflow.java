package gatebook.command.rules;

import gatebook.events.ApprovalRequested.OnTimeout;
import java.util.List;

/**
 * How a person is asked.
 *
 * @param timeoutMillis until when a question can be answered
 * @param blockingMillis how long a caller who waits is kept waiting
 * @param redactFields paths into the arguments that whoever is asked does not see
 */
public record ApprovalWorkflow(
    String name,
    String destination,
    long timeoutMillis,
    long blockingMillis,
    OnTimeout onTimeout,
    List<String> redactFields) {
  public ApprovalWorkflow {
    redactFields = List.copyOf(redactFields);
  }
}
