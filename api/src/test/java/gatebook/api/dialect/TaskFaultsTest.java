package gatebook.api.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.call.DialectVersion;
import gatebook.events.call.Dialect;
import gatebook.events.call.ErrorResponse;
import gatebook.events.call.JsonValue;
import gatebook.events.fault.Category;
import gatebook.events.fault.Severity;
import gatebook.events.fault.TaskFault;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** The errors about tasks in MCP. */
final class TaskFaultsTest {

  private final ErrorTranslation errorTranslation = new ErrorTranslation(UnaryOperator.identity());

  @Test
  void missingTaskIsNotNamed() {
    expect(new TaskFault.TaskNotFound("t-1"), -32004, "Task not found", "", Severity.WARN);
  }

  @Test
  void expiredTaskSaysHowLongItWasKept() {
    expect(
        new TaskFault.TaskExpired("t-1", 60L),
        -32005,
        "Task expired",
        """
        ,"details":"kept for 60s"\
        """,
        Severity.WARN);
  }

  @Test
  void cancelledTaskHasSeverityInfo() {
    expect(new TaskFault.TaskCancelled("t-1"), -32006, "Task was cancelled", "", Severity.INFO);
  }

  private void expect(TaskFault fault, int code, String message, String data, Severity severity) {
    assertThat(errorTranslation.translate(fault, new DialectVersion(Dialect.MCP, null), "c-1"))
        .isEqualTo(
            new ErrorResponse(
                Dialect.MCP,
                code,
                message,
                JsonValue.parse(
                    """
                    {"correlation_id":"c-1"%s}\
                    """
                        .formatted(data)),
                200));
    assertThat(fault.category()).isEqualTo(Category.CLIENT);
    assertThat(fault.severity()).isEqualTo(severity);
    assertThat(fault.gate()).isEmpty();
  }
}
