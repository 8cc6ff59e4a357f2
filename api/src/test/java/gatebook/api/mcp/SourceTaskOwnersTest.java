package gatebook.api.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.mcp.McpParams;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class SourceTaskOwnersTest {

  private final SourceTaskOwners tasks = new SourceTaskOwners();

  @Test
  void bothFormsOfCreatedTasksAreRecognised() {
    assertThat(
            SourceTaskOwners.createdTask(
                result(
                    """
                    {"resultType":"task","taskId":"a"}\
                    """)))
        .contains("a");
    assertThat(
            SourceTaskOwners.createdTask(
                result(
                    """
                    {"task":{"taskId":"b"}}\
                    """)))
        .contains("b");
    assertThat(
            SourceTaskOwners.createdTask(
                result(
                    """
                    {"resultType":"complete","taskId":"a"}\
                    """)))
        .isEmpty();
    assertThat(SourceTaskOwners.createdTask(new Ended.Accepted())).isEmpty();
  }

  @Test
  void aTaskBelongsToOneCallerAndOneSource() {
    tasks.add("joe", "t", "one", 10);

    assertThat(tasks.source("joe", "t")).contains("one");
    assertThat(tasks.source("ann", "t")).isEmpty();
    assertThat(tasks.isOf("joe", "t", "one")).isTrue();
    assertThat(tasks.isOf("joe", "t", "two")).isFalse();
  }

  @Test
  void anIdOfTwoSourcesBelongsToNeither() {
    tasks.add("joe", "1", "one", 10);
    tasks.add("joe", "1", "one", 10);
    assertThat(tasks.source("joe", "1")).contains("one");

    tasks.add("joe", "1", "two", 10);
    tasks.add("joe", "1", "one", 10);

    assertThat(tasks.source("joe", "1")).isEqualTo(Optional.empty());
  }

  @Test
  void aTooLongIdIsNotRemembered() {
    tasks.add("joe", "x".repeat(McpParams.NAME_CHARS_MAX), "one", 10);
    tasks.add("joe", "x".repeat(McpParams.NAME_CHARS_MAX + 1), "one", 10);

    assertThat(tasks.source("joe", "x".repeat(McpParams.NAME_CHARS_MAX))).contains("one");
    assertThat(tasks.source("joe", "x".repeat(McpParams.NAME_CHARS_MAX + 1))).isEmpty();
  }

  private static Ended result(String json) {
    return new Ended.Result(json, false);
  }
}
